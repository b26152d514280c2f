// CRLF line ends and tabs, which the patched file keeps.
#define W 8
__global__ void crlf(float* a,
		int n)
{
	int i = blockIdx.x * W
		+ threadIdx.x;
	if (i < n)
		a[i] *= 2.0f;
}

// after
int untouched =	1;
