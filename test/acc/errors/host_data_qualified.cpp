namespace ns {
int* p;
}
void g(int*);
void f() {
#pragma acc host_data use_device(ns::p)
  {
    g(ns::p);  // EXPECT: 'ns::p' has the host's address in a block of host_data
  }
}
