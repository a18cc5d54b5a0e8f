/** What `testbed doctor` found out about one thing that the testbed needs, or can use. */
export interface Finding {
  readonly name: string
  /** `optional` things are not needed to start or to test. */
  readonly verdict: 'ok' | 'missing' | 'optional'
  readonly found: string
  /** What to do, where something is to be done. */
  readonly advice?: string
}
