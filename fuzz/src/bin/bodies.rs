#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| outplay_fuzz::bodies::bodies(input));
