# The column pass of a filter with five taps, 32 pixels of one byte, for a 64-bit Arm core: the same
# 40 instructions in three orders.  x0 to x4 point to the five rows, v24 to v28 hold the weights, and
# the sums of 16 bits grow in v16 to v19.  llvm-mca reads this file; it is neither assembled nor run.

# One sum after the other, each load right before its use.
# LLVM-MCA-BEGIN one
	ldr	d0, [x0, #0]
	umull	v16.8h, v0.8b, v24.8b
	ldr	d1, [x1, #0]
	umlal	v16.8h, v1.8b, v25.8b
	ldr	d2, [x2, #0]
	umlal	v16.8h, v2.8b, v26.8b
	ldr	d3, [x3, #0]
	umlal	v16.8h, v3.8b, v27.8b
	ldr	d4, [x4, #0]
	umlal	v16.8h, v4.8b, v28.8b
	ldr	d0, [x0, #8]
	umull	v17.8h, v0.8b, v24.8b
	ldr	d1, [x1, #8]
	umlal	v17.8h, v1.8b, v25.8b
	ldr	d2, [x2, #8]
	umlal	v17.8h, v2.8b, v26.8b
	ldr	d3, [x3, #8]
	umlal	v17.8h, v3.8b, v27.8b
	ldr	d4, [x4, #8]
	umlal	v17.8h, v4.8b, v28.8b
	ldr	d0, [x0, #16]
	umull	v18.8h, v0.8b, v24.8b
	ldr	d1, [x1, #16]
	umlal	v18.8h, v1.8b, v25.8b
	ldr	d2, [x2, #16]
	umlal	v18.8h, v2.8b, v26.8b
	ldr	d3, [x3, #16]
	umlal	v18.8h, v3.8b, v27.8b
	ldr	d4, [x4, #16]
	umlal	v18.8h, v4.8b, v28.8b
	ldr	d0, [x0, #24]
	umull	v19.8h, v0.8b, v24.8b
	ldr	d1, [x1, #24]
	umlal	v19.8h, v1.8b, v25.8b
	ldr	d2, [x2, #24]
	umlal	v19.8h, v2.8b, v26.8b
	ldr	d3, [x3, #24]
	umlal	v19.8h, v3.8b, v27.8b
	ldr	d4, [x4, #24]
	umlal	v19.8h, v4.8b, v28.8b
# LLVM-MCA-END

# One sum after the other, its five loads first.
# LLVM-MCA-BEGIN ahead
	ldr	d0, [x0, #0]
	ldr	d1, [x1, #0]
	ldr	d2, [x2, #0]
	ldr	d3, [x3, #0]
	ldr	d4, [x4, #0]
	umull	v16.8h, v0.8b, v24.8b
	umlal	v16.8h, v1.8b, v25.8b
	umlal	v16.8h, v2.8b, v26.8b
	umlal	v16.8h, v3.8b, v27.8b
	umlal	v16.8h, v4.8b, v28.8b
	ldr	d0, [x0, #8]
	ldr	d1, [x1, #8]
	ldr	d2, [x2, #8]
	ldr	d3, [x3, #8]
	ldr	d4, [x4, #8]
	umull	v17.8h, v0.8b, v24.8b
	umlal	v17.8h, v1.8b, v25.8b
	umlal	v17.8h, v2.8b, v26.8b
	umlal	v17.8h, v3.8b, v27.8b
	umlal	v17.8h, v4.8b, v28.8b
	ldr	d0, [x0, #16]
	ldr	d1, [x1, #16]
	ldr	d2, [x2, #16]
	ldr	d3, [x3, #16]
	ldr	d4, [x4, #16]
	umull	v18.8h, v0.8b, v24.8b
	umlal	v18.8h, v1.8b, v25.8b
	umlal	v18.8h, v2.8b, v26.8b
	umlal	v18.8h, v3.8b, v27.8b
	umlal	v18.8h, v4.8b, v28.8b
	ldr	d0, [x0, #24]
	ldr	d1, [x1, #24]
	ldr	d2, [x2, #24]
	ldr	d3, [x3, #24]
	ldr	d4, [x4, #24]
	umull	v19.8h, v0.8b, v24.8b
	umlal	v19.8h, v1.8b, v25.8b
	umlal	v19.8h, v2.8b, v26.8b
	umlal	v19.8h, v3.8b, v27.8b
	umlal	v19.8h, v4.8b, v28.8b
# LLVM-MCA-END

# Four sums side by side, and the loads of a row before their uses.
# LLVM-MCA-BEGIN four
	ldr	d0, [x0, #0]
	ldr	d1, [x0, #8]
	ldr	d2, [x0, #16]
	ldr	d3, [x0, #24]
	umull	v16.8h, v0.8b, v24.8b
	umull	v17.8h, v1.8b, v24.8b
	umull	v18.8h, v2.8b, v24.8b
	umull	v19.8h, v3.8b, v24.8b
	ldr	d4, [x1, #0]
	ldr	d5, [x1, #8]
	ldr	d6, [x1, #16]
	ldr	d7, [x1, #24]
	umlal	v16.8h, v4.8b, v25.8b
	umlal	v17.8h, v5.8b, v25.8b
	umlal	v18.8h, v6.8b, v25.8b
	umlal	v19.8h, v7.8b, v25.8b
	ldr	d0, [x2, #0]
	ldr	d1, [x2, #8]
	ldr	d2, [x2, #16]
	ldr	d3, [x2, #24]
	umlal	v16.8h, v0.8b, v26.8b
	umlal	v17.8h, v1.8b, v26.8b
	umlal	v18.8h, v2.8b, v26.8b
	umlal	v19.8h, v3.8b, v26.8b
	ldr	d4, [x3, #0]
	ldr	d5, [x3, #8]
	ldr	d6, [x3, #16]
	ldr	d7, [x3, #24]
	umlal	v16.8h, v4.8b, v27.8b
	umlal	v17.8h, v5.8b, v27.8b
	umlal	v18.8h, v6.8b, v27.8b
	umlal	v19.8h, v7.8b, v27.8b
	ldr	d0, [x4, #0]
	ldr	d1, [x4, #8]
	ldr	d2, [x4, #16]
	ldr	d3, [x4, #24]
	umlal	v16.8h, v0.8b, v28.8b
	umlal	v17.8h, v1.8b, v28.8b
	umlal	v18.8h, v2.8b, v28.8b
	umlal	v19.8h, v3.8b, v28.8b
# LLVM-MCA-END
