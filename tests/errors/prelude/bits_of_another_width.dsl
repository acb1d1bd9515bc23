module word = f32: (float with t = f32 with int_t = u64)
