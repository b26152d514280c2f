// Code as it is found in the wild: one-letter names, everything on a line, odd spacing, declarations far from use, dead code.
__global__ void k1(float*a,float*b,int n){int i=threadIdx.x+blockIdx.x*blockDim.x;if(i<n){float x=a[i],y=b[i],z;z=x>y?x-y:y-x;a[i]=z*z;if(z>1){b[i]=0;}else if(z<.5f)b[i]=1.;else{b[i]=z;}}}

__global__ void k2 ( int *p , int *q , int n )
{
  int i , j , k , t ;
  int unused = 0 ;
  i = blockIdx . x ; j = threadIdx . x ;
  if ( i == j ) return ;
  k = i * n + j ;
  t = p [ k ] ;   /* old value */
  if ( t == 0 ) { return ; }
  {
    int t = q [ k ] ;
    { int t = 3 ; q [ k ] = t + p [ 0 ] ; }
    p [ k ] = t ;
  }
  for ( i = 0 ; i < n ; i ++ ) for ( j = 0 ; j < i ; j ++ ) if ( p [ j ] > t ) { if ( q [ j ] ) continue ; p [ j ] = t ; break ; }
  q [ k ] = i + j + unused ;
  return ;
}

#define FOR(i, n) for (int i = 0; i < (n); ++i)
#define IF_THEN(c, s) if (c) { s; }
#define LOAD4(v, p, o) float v##0 = p[(o)], v##1 = p[(o) + 1], v##2 = p[(o) + 2], v##3 = p[(o) + 3]
#define SUM4(v) (v##0 + v##1 + v##2 + v##3)

__global__ void k3(float *o, const float *w, int n)
{
  FOR(r, n) FOR(c, 4) {
    LOAD4(v, w, (r * 4 + c) * 4);
    IF_THEN(SUM4(v) > 0.f, o[r * 4 + c] += SUM4(v))
    else o[r * 4 + c] -= v3;
  }
}
