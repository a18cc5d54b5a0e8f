/** What is a sign of which verdict. */
export interface Marks<Mark> {
  readonly accepted?: readonly Mark[] | undefined
  readonly refused?: readonly Mark[] | undefined
}
