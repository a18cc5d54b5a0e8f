import fc from 'fast-check'

/**
 * Generated input is the same in each run, so that a test does not fail by chance and a failure
 * repeats. FUZZ_SEED=N generates other input.
 */
export const seed = Number(process.env.FUZZ_SEED ?? 20_261_130)

fc.configureGlobal({ seed })

export { fc }
