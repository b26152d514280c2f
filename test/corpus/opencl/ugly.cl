// cl-std: CL1.2
// Kernels as they are found in the wild: terse, odd spacing, shadowed names, dead code, size_t and int mixed.
__kernel void k1(__global float*a,__global float*b,int n){int i=get_global_id(0);if(i<n){float x=a[i],y=b[i],z;z=x>y?x-y:y-x;a[i]=z*z;if(z>1){b[i]=0;}else if(z<.5f)b[i]=1.;else{b[i]=z;}}}

kernel
void k2 ( global int * p , const int n )
{
  const size_t gid = get_global_id ( 0 ) ;
  int i = gid , j = i - 1 , t = p [ gid ] ;
  if ( t == 0 ) return ;
  { int t = 3 ; p [ gid ] = t + j ; { int t = 4 ; p [ 0 ] = t ; } }
  for ( ; ; ) { if ( i >= n ) break ; if ( p [ i ] ++ > t ) break ; i += get_global_size ( 0 ) ; }
  if ( gid < n - 1 && ! ( p [ gid + 1 ] & 1 ) ) p [ gid ] = - - t - - 3 ;
  return ;
}
