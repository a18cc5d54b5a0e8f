/** For an option that may be given several times: what was given before, and this. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
]
