/** Verdicts as reports have them, in the order in which tables show them. */
export const verdictWords: Readonly<Record<string, string>> = {
  passed: 'PASS',
  failed: 'FAIL',
  warned: 'WARN',
  inconclusive: 'INCONCLUSIVE',
}
