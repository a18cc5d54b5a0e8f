import {
  type CheckBase,
  type CheckExpectation,
  type CheckRow,
  type CheckTexts,
  held,
} from '../../kit/check.ts'

/** What a registry does with valid requests, and what it answers afterwards. */
export interface Observation<Context> extends CheckTexts {
  readonly sends: string
  readonly decides: string
  /** By default `accept`. */
  readonly expectation?: CheckExpectation
  /** Returns what was observed, as a sentence; an expectation that fails ends the check. */
  readonly observe: (context: Context) => Promise<string>
}

/**
 * Makes the check of an observation: the registry must do what the row expects.
 * @param needs of a row that names none
 */
export const observing =
  <Context extends CheckBase>(...needs: readonly string[]) =>
  ({ observe, ...row }: Observation<Context>): CheckRow<Context> => ({
    ...{ expectation: 'accept', needs },
    ...row,
    run: async (context) => held(await observe(context)),
  })
