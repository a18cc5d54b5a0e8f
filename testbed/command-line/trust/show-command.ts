import type { Command } from 'commander'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { AttributeReference } from '#core/trust/tir-attribute.ts'
import { type TrustChainResult, walkTrustChain } from '#core/trust/trust-chain.ts'
import type { Lookup } from '#core/verification/rules.ts'
import { exitCodes } from '../exit-codes.ts'
import { findRegistries, type Registries } from '../registries/find-registries.ts'
import { addRegistryOptions, type RegistryOptions } from '../registries/registry-options.ts'
import { wrongUsage } from '../registries/wrong-usage.ts'
import { plainText, print, printJson, say } from '../terminal/print.ts'
import { attributeIdOf } from './attribute-id-option.ts'

interface ShowOptions extends RegistryOptions {
  readonly credentialType: string
  readonly root?: readonly string[]
}

/**
 * `testbed trust show`: walks from an accreditation to the root and prints every hop with the
 * verdict of each rule; exit code 1 where the chain does not hold.
 *
 * @assumption A-18
 */
export function addShowCommand(parent: Command): void {
  addRegistryOptions(parent.command('show'), ['didRegistry', 'tir'])
    .description('follow an accreditation up to the root, with a verdict on every hop')
    .argument('[did]', "the accredited DID; without it, the running testbed's issuer")
    .argument('[attributeId]', 'its attributeId, 64 hex digits', attributeIdOf)
    .option('--credential-type <type>', 'type to be covered', 'OrgPortalLearCredential')
    .option('--root <did...>', "DIDs of trusted roots; the running testbed's")
    .action(async (did: string | undefined, id: string | undefined, _, self: Command) => {
      const options = self.optsWithGlobals<ShowOptions>()
      const registries = await findRegistries(options, did)
      const start = findStart(registries, did, id)
      const { testbed, environment } = registries
      const roots = options.root ?? (testbed ? [testbed.trustChain.rootTao.did] : [])
      if (roots.length === 0) say('No root is trusted: name one with --root DID.')
      const didRegistry = registries.didRegistry()
      const tir = registries.tir()
      const result = await walkTrustChain({
        environment,
        tirBaseUrl: registries.tirBaseUrl(),
        start,
        credentialType: options.credentialType,
        rootDids: roots,
        now: registries.now(),
        readAttribute: (...place) => look(tir.readAttribute(...place)),
        resolveDidDocument: (...question) => look(didRegistry.resolve(...question)),
      })
      if (!result.ok) process.exitCode = exitCodes.failed
      if (options.json) return printJson(result)
      for (const line of describeChain(result)) print(plainText(line))
    })
}

function findStart(
  { testbed }: Registries,
  did: string | undefined,
  attributeId: string | undefined,
): AttributeReference {
  if (did !== undefined && attributeId !== undefined) return { did, attributeId }
  const members = Object.values(testbed?.trustChain ?? {})
  const known =
    did === undefined ? testbed?.trustChain.issuer : members.find((member) => member.did === did)
  if (known !== undefined) return known
  throw wrongUsage('Name the accreditation: a DID and its attributeId.')
}

/** An answer that is none counts as none, with its reason. */
async function look<Value>(asked: Promise<Value | undefined>): Promise<Lookup<Value>> {
  try {
    const value = await asked
    if (value !== undefined) return { ok: true, value }
    return { ok: false, kind: 'not-found', reason: 'there is none (404)' }
  } catch (error) {
    if (!isTestbedError(error)) throw error
    return { ok: false, kind: 'unavailable', reason: error.message }
  }
}

function describeChain({ ok, steps, checked, failures }: TrustChainResult): readonly string[] {
  const verdicts = (place: string) =>
    checked
      .filter(({ path = '' }) => path === place || path.startsWith(`${place}.`))
      .flatMap(({ rule, passed, statement }) => [
        `  ${passed ? '✓' : signOf(failuresOf(rule, place))} ${rule}: ${statement}`,
        ...(passed ? [] : failuresOf(rule, place).map(({ reason }) => `      ${reason}`)),
      ])
  const failuresOf = (rule: string, place: string) =>
    failures.filter((failure) => failure.rule === rule && failure.path.startsWith(place))
  // A rule for which a registry did not answer is not broken.
  const signOf = (found: typeof failures) =>
    found.every(({ unchecked }) => unchecked !== undefined) ? '?' : '✗'
  const isOpen = !ok && failures.every(({ unchecked }) => unchecked !== undefined)
  const hops = steps.flatMap(({ did, attributeId, issuerType, tao }, index) => [
    `${issuerType} ${did}`,
    `  attribute ${attributeId}, accredited by ${tao}`,
    ...verdicts(`hops[${index}]`),
  ])
  return [
    ...hops,
    ...verdicts(`hops[${steps.length}]`),
    // Those about the chain as a whole.
    ...verdicts(''),
    isOpen ? 'The chain could not be checked.' : `The chain ${ok ? 'holds' : 'is broken'}.`,
  ]
}
