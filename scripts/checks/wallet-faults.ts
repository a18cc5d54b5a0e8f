import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import type { ExpectedOutcome, WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import { code, plain, table } from '../documentation/markdown.ts'

/** A conformance check on an issuer or a verifier. */
export interface CatalogueCheck {
  /** `I26`, `V05`. */
  readonly id: string
  readonly text: string
  /** Why no wallet can break it; empty if a fault does. */
  readonly reason: string
}

/** Reads lines of `id, tab, text, tab, reason`; `#` begins a comment. */
export const parseCatalogue = (lines: string): readonly CatalogueCheck[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [id = '', text = '', reason = ''] = line.split('\t').map((cell) => cell.trim())
      return { id, text, reason }
    })

interface CataloguedFault {
  readonly name: string
  readonly check: string
}

/**
 * Sentences about checks that have neither a fault nor a reason, or both, or either twice; and
 * about faults that the wallet does not have, or that the catalogue lists twice.
 */
export function findFaultGaps(
  checks: readonly CatalogueCheck[],
  catalogue: readonly CataloguedFault[],
  faults: readonly string[],
): readonly string[] {
  const broken = new Set(catalogue.map(({ check }) => check))
  const known = new Set(checks.map(({ id }) => id))
  const catalogued = catalogue.map(({ name }) => name)
  return [
    ...checks
      .filter(({ id, reason }) => reason === '' && !broken.has(id))
      .map(({ id }) => `${id}: has neither a fault nor a reason why no wallet can break it.`),
    ...checks
      .filter(({ id, reason }) => reason !== '' && broken.has(id))
      .map(
        ({ id }) => `${id}: has a reason why no wallet can break it, but also a fault that does.`,
      ),
    ...checks
      .filter(({ id }, index) => checks.findIndex((other) => other.id === id) < index)
      .map(({ id }) => `${id}: is in the catalogue twice.`),
    ...catalogue
      .filter(({ check }) => !known.has(check))
      .map(({ name, check }) => `${name}: the catalogue does not know the check ${check}.`),
    ...catalogued
      .filter((name) => !faults.includes(name))
      .map((name) => `${name}: is in the fault catalogue, but the wallet has no such fault.`),
    ...catalogued
      .filter((name, index) => catalogued.indexOf(name) < index)
      .map((name) => `${name}: is in the fault catalogue twice.`),
  ]
}

const needTexts = {
  pin: 'an offer with a PIN',
  deferral: 'a deferred credential',
  'second-type': 'an issuer with a second type',
  clock: 'a clock that can be moved',
  'short-nonce': 'a c_nonce that ends before the access token',
} as const

/** The outcome at our own services, which the tests and the scenarios assert. */
function describeOutcome(expected: ExpectedOutcome): string {
  switch (expected.at) {
    case 'verdict': {
      const entailed = (expected.entails ?? []).map(code).join(', ')
      const more = entailed === '' ? '' : `, with ${entailed}`
      return `FAILED by ${code(expected.rule)}${more}`
    }
    case 'session':
      return `200, and the session stays ${expected.status}`
    case 'nowhere':
      return `accepted: ${plain(expected.because)}`
    default: {
      const { status, error, rule } = expected
      const more = rule === undefined ? '' : ` (${code(rule)})`
      return `${status} ${code(error)} at the ${expected.at} endpoint${more}`
    }
  }
}

function describeLimits({ algorithms, needs = [] }: WalletFault): string {
  const texts = [
    ...(algorithms ? [`only ${algorithms.join(', ')}`] : []),
    ...needs.map((need) => needTexts[need]),
  ]
  return texts.length === 0 ? '' : ` Needs: ${texts.join('; ')}.`
}

function faultTable(faults: readonly WalletFault[]): string {
  const rows = faults.map((fault) => {
    const { check, rule } = brokenBy(fault)
    const description = plain(fault.description + describeLimits(fault))
    return [code(fault.name), check, description, plain(rule), describeOutcome(fault.expected)]
  })
  const head = ['fault', 'check', 'what the wallet does', 'the rule that it breaks', 'outcome']
  return table(head, rows)
}

function checkTable(checks: readonly CatalogueCheck[], faults: readonly WalletFault[]): string {
  const rows = checks.map(({ id, text, reason }) => {
    const names = faults
      .filter((fault) => brokenBy(fault).check === id)
      .map(({ name }) => code(name))
    return [id, plain(text), names.length > 0 ? names.join(', ') : plain(reason)]
  })
  return table(['check', 'description', 'faults, or why there are none'], rows)
}

export interface WalletFaultsDocument {
  readonly checks: readonly CatalogueCheck[]
  readonly issuance: readonly WalletFault[]
  readonly presentation: readonly WalletFault[]
}

/**
 * `docs/reference/wallet-faults.md`: every deviation of the wallet, and every check with its
 * faults.
 */
export function createWalletFaultsDocument({
  checks,
  issuance,
  presentation,
}: WalletFaultsDocument): string {
  const checksOf = (side: string) => checks.filter(({ id }) => id.startsWith(side))
  return `# Wallet faults

Generated from \`wallet-emulator/faults/\`, \`scenarios/fixtures/fault-catalogue.ts\` and \`docs/reference/wallet-faults/checks.tsv\` by \`node scripts/check-wallet-faults.ts --write\`.

Each fault is one deviation of the wallet emulator; all other behaviour stays as documented. An issuer or a verifier is correct if it rejects the wallet for exactly this reason. \`testbed wallet faults\` prints the list, \`testbed wallet accept --fault NAME\` and \`present --fault NAME\` deviate, and a test passes faults to \`createWallet\`.

Faults can be combined. Two faults that set the same member of a message contradict each other; a wallet with both fails to start, and the error names them. A fault has no effect if an earlier message was rejected before its own message.

The outcome is that of the testbed's own issuer and verifier. The rules of a session are those of its explanation. An accepted fault has its reason in the table.

## At an issuer (${issuance.length})

${faultTable(issuance)}

## At a verifier (${presentation.length})

${faultTable(presentation)}

## Checks on an issuer

${checkTable(checksOf('I'), issuance)}

## Checks on a verifier

${checkTable(checksOf('V'), presentation)}
`
}
