import type { Command } from 'commander'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { defaultCredentialType } from '#core/lear-credential/lear-credential.ts'
import { type AttributeReference, parseAttributeId } from '#core/trust/tir-attribute.ts'
import { type TrustChainResult, walkTrustChain } from '#core/trust/trust-chain.ts'
import type { Lookup } from '#core/verification/rules.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import {
  readActiveAttribute,
  writeAttributeMetadata,
} from '#testbed/registries/write-registries.ts'
import { describeTransaction } from '../describe-transaction.ts'
import { exitCodes } from '../exit-codes.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { findRegistries, type Registries } from '../find-registries.ts'
import {
  addKeyOptions,
  addRegistryOptions,
  attributeIdOf,
  collect,
  type KeyOptions,
  type RegistryOptions,
  requireKey,
} from '../options.ts'
import { addPublishCommand } from '../publish-accreditation.ts'
import { confirm, plainText, print, printJson, say } from '../terminal.ts'

export const summary = 'publish, revoke and follow accreditations in a TIR'

export const examples = [
  ['trust show', "the trust chain of the testbed's issuer"],
  ['trust publish did:org:uc-pre:z1… --type TI --key-file tao.json', 'accredit an issuer'],
  ['trust revoke did:org:uc-pre:z1… 1b84a6e3…', 'revoke an accreditation'],
] as const

/** `testbed trust …`: what operators and TAOs do with accreditations. */
export function configure(command: Command): void {
  addPublishCommand(command)
  addRevokeCommand(command)
  addShowCommand(command)
}

interface ShowOptions extends RegistryOptions {
  readonly credentialType?: string
  readonly rootDid?: readonly string[]
}

/**
 * `testbed trust show`: walks from an accreditation to the root and prints every hop with the
 * verdict of each rule; exit code 1 if the chain is broken.
 *
 * @assumption A-18
 */
function addShowCommand(parent: Command): void {
  addRegistryOptions(parent.command('show'), ['didRegistry', 'tir'])
    .description('follow an accreditation up to the root, with a verdict for every hop')
    .argument('[did]', "the accredited DID; default: the running testbed's issuer")
    .argument('[attributeId]', 'its attributeId, 64 hex digits', attributeIdOf)
    .option(
      '--credential-type <type>',
      "credential type that the accreditation must cover; default: the running testbed's, else OrgPortalLearCredential",
    )
    .option(
      '--root-did <did>',
      "a trusted root; repeatable; default: the running testbed's",
      collect,
    )
    .action(async (did: string | undefined, id: string | undefined, _, self: Command) => {
      const options = self.optsWithGlobals<ShowOptions>()
      const registries = await findRegistries(options, did)
      const start = findStart(registries, did, id)
      const { testbed, environment } = registries
      const roots = options.rootDid ?? (testbed ? [testbed.trustChain.rootTao.did] : [])
      if (roots.length === 0) say('No trusted root is known. Specify one with --root-did DID.')
      const didRegistry = registries.didRegistry()
      const tir = registries.tir()
      const result = await walkTrustChain({
        environment,
        tirBaseUrl: registries.tirBaseUrl(),
        start,
        credentialType:
          options.credentialType ?? testbed?.credentialType?.vcType ?? defaultCredentialType,
        rootDids: roots,
        now: registries.now(),
        readAttribute: (...place) => look(tir.readAttribute(...place)),
        resolveDidDocument: (...question) => look(didRegistry.resolve(...question)),
      })
      if (!result.ok) process.exitCode = exitCodes.failed
      if (options.json) return printJson(result)
      const lines = describeChain(result, namesOf(registries))
      for (const line of lines) print(plainText(line))
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
  throw wrongUsage('Specify the accreditation: a DID and its attributeId.', [
    'trust publish prints the attributeId; the console lists all accreditations under Registries.',
  ])
}

/** An invalid answer counts as no accreditation, with its reason. */
async function look<Value>(asked: Promise<Value | undefined>): Promise<Lookup<Value>> {
  try {
    const value = await asked
    if (value !== undefined) return { ok: true, value }
    return { ok: false, kind: 'not-found', reason: 'not found (404)' }
  } catch (error) {
    if (!isTestbedError(error)) throw error
    return { ok: false, kind: 'unavailable', reason: error.message }
  }
}

/** Names of the running testbed's members by their DIDs. */
function namesOf({ testbed }: Registries): ReadonlyMap<string, string> {
  if (testbed === undefined) return new Map()
  const { rootTao, tao, issuer } = testbed.trustChain
  return new Map([
    [rootTao.did, 'Root TAO'],
    [tao.did, 'TAO'],
    [issuer.did, 'Issuer'],
  ])
}

function describeChain(
  { ok, steps, checked, failures }: TrustChainResult,
  names: ReadonlyMap<string, string>,
): readonly string[] {
  const named = (did: string) => (names.has(did) ? `${did} (${names.get(did)})` : did)
  const verdicts = (place: string) =>
    checked
      .filter(({ path = '' }) => path === place || path.startsWith(`${place}.`))
      .flatMap(({ rule, passed, statement, fix }) => [
        `  ${passed ? '✓' : signOf(failuresOf(rule, place))} ${rule}: ${statement}`,
        ...(passed ? [] : failuresOf(rule, place).map(({ reason }) => `      ${reason}`)),
        ...(fix === undefined ? [] : [`      Fix: ${fix}`]),
      ])
  const failuresOf = (rule: string, place: string) =>
    failures.filter((failure) => failure.rule === rule && failure.path.startsWith(place))
  // A rule is not broken if a registry did not answer.
  const signOf = (found: typeof failures) =>
    found.every(({ unchecked }) => unchecked !== undefined) ? '?' : '✗'
  const isOpen = !ok && failures.every(({ unchecked }) => unchecked !== undefined)
  const hops = steps.flatMap(({ did, attributeId, issuerType, tao }, index) => [
    `${issuerType} ${named(did)}`,
    `  attribute ${attributeId}, accredited by ${named(tao)}`,
    ...verdicts(`hops[${index}]`),
  ])
  return [
    ...hops,
    ...verdicts(`hops[${steps.length}]`),
    // Rules about the chain as a whole.
    ...verdicts(''),
    isOpen ? 'The chain could not be checked.' : `The chain is ${ok ? 'valid' : 'broken'}.`,
  ]
}

interface RevokeOptions extends RegistryOptions, KeyOptions {
  readonly taoAttribute?: string
  readonly yes?: boolean
}

/**
 * `testbed trust revoke`: setAttributeMetadata with REVOKED and the taoDid of the publication
 * (profile/tir, States).
 */
function addRevokeCommand(parent: Command): void {
  const command = addRegistryOptions(parent.command('revoke'), ['tir', 'apiKey', 'chainRpc'])
  addKeyOptions(command, "the private key of the accrediting TAO, or of the registry's operator")
    .description('revoke an accreditation permanently')
    .argument('<did>', 'the DID that is accredited')
    .argument('<attributeId>', 'its attributeId, 64 hex digits', attributeIdOf)
    .option(
      '--tao-attribute <hex>',
      "attributeId of the TAO's own accreditation, if the registry does not return it",
      attributeIdOf,
    )
    .option('-y, --yes', "skip the confirmation for the testbed's own accreditations")
    .action(async (did: string, attributeId: string, _, self: Command) => {
      const options = self.optsWithGlobals<RevokeOptions>()
      const registries = await findRegistries(options, did)
      await explainRefusal(() => revoke(registries, { did, attributeId }, options))
    })
}

async function revoke(
  registries: Registries,
  { did, attributeId }: { readonly did: string; readonly attributeId: string },
  options: RevokeOptions,
): Promise<void> {
  const tir = registries.tir()
  const { attribute } = await readActiveAttribute(tir, did, attributeId)
  const attributeIdTao = options.taoAttribute ?? parseAttributeId(attribute.attributeIdTao ?? '')
  if (attributeIdTao === undefined) {
    throw wrongUsage(
      'The registry does not return the attribute of the TAO. Specify --tao-attribute.',
    )
  }
  const { testbed } = registries
  const members = Object.values(testbed?.trustChain ?? {})
  const own = members.find((member) => member.did === attribute.tao) ?? testbed?.operator
  if (members.some((member) => member.did === did && member.attributeId === attributeId)) {
    say("Every credential of the testbed's issuer depends on this accreditation.")
    say(`Revocation is permanent. Only \`${programCommand} reset\` restores logins.`)
    await confirm('Revoke it?', options)
  }
  const signer = await requireKey(options, `the key of ${attribute.tao}`, {
    otherwise: own?.privateKey,
  })
  const hash = await writeAttributeMetadata(
    {
      tir,
      chain: registries.chain(),
      onUnsigned: (transaction) => describeTransaction(transaction).forEach(say),
    },
    { did, attributeId, issuerType: 'REVOKED', taoDid: attribute.tao, attributeIdTao },
    signer,
  )
  if (options.json) return printJson({ did, attributeId, issuerType: 'REVOKED', transaction: hash })
  say(`The accreditation of ${did} was revoked.`)
  print(hash)
}
