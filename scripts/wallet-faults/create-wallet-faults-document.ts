import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import type { ExpectedOutcome, WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import type { CatalogueCheck } from './parse-catalogue.ts'

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
