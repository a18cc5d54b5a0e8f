/** Several blocks in one second are a second apart each. */
export const usualChainLead = 5

/** What is wrong with a testbed whose chain is so many seconds ahead of its clock, if anything is. */
export function describeChainLead(seconds: number): string[] {
  if (seconds <= usualChainLead) return []
  return [
    `The chain is ${seconds} s ahead of the clock, which was moved and put back. What is registered on it counts only then; a testbed that is started anew has none of this.`,
  ]
}
