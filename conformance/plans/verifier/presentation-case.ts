import { findFault } from '#wallet-emulator/faults/all-faults.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import type { CheckLevel } from '../../kit/define-check.ts'
import { findDefect } from '../../world/defects/all-defects.ts'
import type { PresentationOptions } from './context.ts'

/** A presentation and what is to be said of it, in a sentence. */
export interface PresentationCase extends PresentationOptions {
  readonly what: string
  /** How much it weighs that it is accepted, where that is less than the check. */
  readonly level?: CheckLevel
}

/** The same, weighing less: no sentence of the documents has verifiers refuse them. */
export const asPractice = (cases: readonly PresentationCase[]): PresentationCase[] =>
  cases.map((each) => ({ ...each, level: 'practice' }))

/** Presentations with a named deviation of the wallet each. */
export const withFaults = (...names: readonly string[]): PresentationCase[] =>
  names.map((name) => {
    const fault = findFault(name)
    if (!fault) throw new TypeError(`There is no wallet fault ${name}`)
    return { what: fault.description, faults: [fault] }
  })

/** Presentations of a credential with a named defect each. */
export const withDefects = (...names: readonly string[]): PresentationCase[] =>
  names.map((name) => {
    const defect = findDefect(name)
    if (!defect) throw new TypeError(`There is no defect ${name}`)
    return { what: `The credential: ${lowerFirst(defect.description)}`, defect }
  })

/** A presentation with a deviation that has no name elsewhere. */
export function withChange(
  what: string,
  apply: WalletFault['apply'],
  others: Omit<PresentationOptions, 'faults'> = {},
): PresentationCase {
  const expected = { at: 'nowhere', because: '' } as const
  const fault = { name: 'deviation', description: what, check: '', rule: '', expected, apply }
  return { what, faults: [fault], ...others }
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`
