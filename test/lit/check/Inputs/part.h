struct Part {
  int width, height = 3;
};
