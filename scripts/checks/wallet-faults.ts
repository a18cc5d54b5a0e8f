import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import type { ExpectedOutcome, WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'

/** A conformance check on an issuer or a verifier. */
export interface CatalogueCheck {
  /** `I26`, `V05`. */
  readonly id: string
  readonly text: string
  /** Why no wallet can break it; empty where a fault does. */
  readonly reason: string
}

/** Reads lines of `id, tab, text, tab, reason`; `#` begins a remark. */
export const parseCatalogue = (lines: string): readonly CatalogueCheck[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [id = '', text = '', reason = ''] = line.split('\t').map((cell) => cell.trim())
      return { id, text, reason }
    })

/** A fault as the fault catalogue has it. */
interface CataloguedFault {
  readonly name: string
  readonly check: string
}

/**
 * Sentences about checks that neither a fault breaks nor a reason excuses, or both, or twice; and
 * about faults that the wallet does not have, or that are catalogued twice.
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
      .map(({ id }) => `${id}: no fault breaks it, and there is no reason why none could.`),
    ...checks
      .filter(({ id, reason }) => reason !== '' && broken.has(id))
      .map(
        ({ id }) => `${id}: there is a reason why no wallet can break it, and a fault that does.`,
      ),
    ...checks
      .filter(({ id }, index) => checks.findIndex((other) => other.id === id) < index)
      .map(({ id }) => `${id}: it stands in the catalogue twice.`),
    ...catalogue
      .filter(({ check }) => !known.has(check))
      .map(({ name, check }) => `${name}: the catalogue does not know the check ${check}.`),
    ...catalogued
      .filter((name) => !faults.includes(name))
      .map((name) => `${name}: it is in the fault catalogue, but the wallet has no such fault.`),
    ...catalogued
      .filter((name, index) => catalogued.indexOf(name) < index)
      .map((name) => `${name}: it stands in the fault catalogue twice.`),
  ]
}

/** Text that Markdown's tables leave as it is. */
const plain = (text: string) => text.replace(/([|*_[\]])/g, '\\$1').replace(/</g, '&lt;')

const code = (text: string) => `\`${text}\``

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`

const needTexts = {
  pin: 'an offer with a PIN',
  deferral: 'a deferred credential',
  'second-type': 'an issuer with a second type',
  clock: 'a clock that can be moved',
  'short-nonce': 'a c_nonce that ends before the access token',
} as const

/** What our own services make of it, which the tests and the scenarios hold. */
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
      return `taken: ${plain(expected.because)}`
    default: {
      const { status, error, rule } = expected
      const more = rule === undefined ? '' : ` (${code(rule)})`
      return `${status} ${code(error)} at the ${expected.at} endpoint${more}`
    }
  }
}

function describeLimits({ algorithms, needs = [] }: WalletFault): string {
  const texts = [
    ...(algorithms ? [`${algorithms.join(', ')} alone`] : []),
    ...needs.map((need) => needTexts[need]),
  ]
  return texts.length === 0 ? '' : ` Needs: ${texts.join('; ')}.`
}

function faultTable(faults: readonly WalletFault[]): string {
  const lines = faults.map((fault) => {
    const { check, rule } = brokenBy(fault)
    return row(
      code(fault.name),
      check,
      plain(fault.description) + plain(describeLimits(fault)),
      plain(rule),
      describeOutcome(fault.expected),
    )
  })
  const head = row('fault', 'check', 'what the wallet does', 'the rule that it breaks', 'outcome')
  return [head, row('---', '---', '---', '---', '---'), ...lines].join('\n')
}

function checkTable(checks: readonly CatalogueCheck[], faults: readonly WalletFault[]): string {
  const lines = checks.map(({ id, text, reason }) => {
    const names = faults
      .filter((fault) => brokenBy(fault).check === id)
      .map(({ name }) => code(name))
    return row(id, plain(text), names.length > 0 ? names.join(', ') : plain(reason))
  })
  return [row('check', 'what it is about', 'faults, or why there are none')]
    .concat(row('---', '---', '---'), lines)
    .join('\n')
}

export interface WalletFaultsDocument {
  readonly checks: readonly CatalogueCheck[]
  readonly issuance: readonly WalletFault[]
  readonly presentation: readonly WalletFault[]
}

/** `docs/reference/wallet-faults.md`: every deviation of the wallet, and every check with what breaks it. */
export function createWalletFaultsDocument({
  checks,
  issuance,
  presentation,
}: WalletFaultsDocument): string {
  const checksOf = (side: string) => checks.filter(({ id }) => id.startsWith(side))
  return `# How a wallet can deviate

Generated from \`wallet-emulator/faults/\`, \`scenarios/fixtures/fault-catalogue.ts\` and \`docs/reference/wallet-faults/checks.tsv\` by \`node scripts/check-wallet-faults.ts --write\`.

Each fault is one deviation of the wallet emulator: everything stays as documented but for this. An issuer or a verifier is right where it refuses the wallet for just this reason. \`testbed wallet faults\` prints the list, \`testbed wallet accept --fault NAME\` and \`present --fault NAME\` deviate, and a test gives faults to \`createWallet\`.

Several faults add up. Two that set the same member of a message contradict each other; a wallet with both is refused, with their names. A fault of a message that is never reached, because an earlier one was refused, shows nothing.

The outcome is that of the testbed's own issuer and verifier, where a session's rules are those of its explanation. What they take says why.

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
