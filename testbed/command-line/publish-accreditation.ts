import { randomBytes } from 'node:crypto'
import { type Command, Option } from 'commander'
import { parseDidOrg } from '#core/did/did-org.ts'
import type { Signer } from '#core/ethereum/account.ts'
import { defaultCredentialType } from '#core/lear-credential/lear-credential.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import {
  type Accreditor,
  findVerificationMethodId,
  publishAccreditation,
} from '#testbed/registries/write-registries.ts'
import { describeTransaction } from './describe-transaction.ts'
import { explainRefusal } from './explain-refusal.ts'
import { findRegistries, type Registries } from './find-registries.ts'
import {
  addKeyOptions,
  addRegistryOptions,
  attributeIdOf,
  type KeyOptions,
  type RegistryOptions,
  requireKey,
  secondsOf,
} from './options.ts'
import { print, printJson, say } from './terminal.ts'

interface PublishOptions extends RegistryOptions, KeyOptions {
  readonly type: 'ROOT_TAO' | 'TAO' | 'TI'
  readonly accreditedFor?: readonly string[]
  readonly attributeId?: string
  readonly tao?: string
  readonly taoAttribute?: string
  readonly vMethodId?: string
  readonly senderKeyFile?: string
  readonly senderPrivateKey?: string
  readonly validUntil?: number
}

const tenYears = 10 * 365 * 86_400

/**
 * `testbed trust publish`: signs an accreditation and publishes it by setAttributeMetadata and
 * setAttributeData, each confirmed by its receipt (profile/README, The parts).
 */
export function addPublishCommand(parent: Command): void {
  const command = addRegistryOptions(parent.command('publish'), [
    'tir',
    'apiKey',
    'chainRpc',
    'didRegistry',
  ])
  addKeyOptions(command, 'the private key of the accrediting TAO')
    .description('accredit a DID; prints the address of the accreditation')
    .argument('<did>', 'the DID that is accredited')
    .addOption(
      new Option('--type <type>', 'role of the accredited DID')
        .choices(['ROOT_TAO', 'TAO', 'TI'])
        .default('TI'),
    )
    .option(
      '--accredited-for <type...>',
      "credential types; default: the running testbed's, else OrgPortalLearCredential",
    )
    .option('--attribute-id <hex>', 'attributeId, 64 hex digits; default: random', attributeIdOf)
    .option('--tao <did>', 'DID of the accrediting TAO or RTAO; a root accredits itself')
    .option('--tao-attribute <hex>', "attributeId of the TAO's own accreditation", attributeIdOf)
    .option(
      '--v-method-id <id>',
      "vMethodId of the TAO's key; default: from the registry, else its thumbprint",
    )
    .option('--sender-key-file <file>', 'another key that signs the transactions; - for stdin')
    .option('--sender-private-key <hex>', 'the same key; visible to every user of this machine')
    .option(
      '--valid-until <seconds>',
      'expiry as Unix time; default: ten years from now',
      secondsOf,
    )
    .action(async (did: string, _, self: Command) => {
      const options = self.optsWithGlobals<PublishOptions>()
      const registries = await findRegistries(options, did)
      const attributeId = options.attributeId ?? randomBytes(32).toString('hex')
      const accreditor = await findAccreditor(registries, did, attributeId, options)
      const sender = await findSender(registries, accreditor, options)
      await explainRefusal(() =>
        publish(registries, { subject: { did, attributeId }, accreditor, sender }, options),
      )
    })
}

async function findAccreditor(
  registries: Registries,
  did: string,
  attributeId: string,
  options: PublishOptions,
): Promise<Accreditor> {
  const { testbed, environment } = registries
  const { type, tao, taoAttribute } = options
  const isRoot = type === 'ROOT_TAO'
  if (isRoot && (tao ?? did) !== did) throw wrongUsage('A root accredits itself. Omit --tao.')
  const members = Object.values(testbed?.trustChain ?? {})
  const usual = isRoot ? undefined : testbed?.trustChain[type === 'TAO' ? 'rootTao' : 'tao']
  const taoDid = isRoot ? did : (tao ?? usual?.did)
  const known = members.find((member) => member.did === taoDid)
  const taoAttributeId = isRoot ? attributeId : (taoAttribute ?? known?.attributeId)
  if (taoDid === undefined || parseDidOrg(taoDid)?.environment !== environment) {
    throw wrongUsage('Specify the accrediting DID, of the same environment, with --tao DID.')
  }
  if (taoAttributeId === undefined) {
    throw wrongUsage("Specify the TAO's own accreditation with --tao-attribute HEX.")
  }
  const signer = await requireKey(options, `the key of ${taoDid}`, {
    otherwise: known?.privateKey,
  })
  const vMethodId =
    options.vMethodId ??
    (await findVerificationMethodId(registries.didRegistryIfKnown(), taoDid, signer))
  return { ...signer, did: taoDid, attributeId: taoAttributeId, vMethodId }
}

/** The TAO signs the transactions itself; the operator of the registry writes a root. */
async function findSender(
  { testbed }: Registries,
  accreditor: Accreditor,
  { type, senderKeyFile: keyFile, senderPrivateKey: privateKey }: PublishOptions,
): Promise<Signer> {
  const operator = type === 'ROOT_TAO' ? testbed?.operator.privateKey : undefined
  return requireKey({ keyFile, privateKey }, "the sender's key", {
    option: '--sender-key-file',
    otherwise: operator ?? accreditor.privateKey,
  })
}

interface AccreditationParties {
  readonly subject: { readonly did: string; readonly attributeId: string }
  readonly accreditor: Accreditor
  readonly sender: Signer
}

async function publish(
  registries: Registries,
  { subject, accreditor, sender }: AccreditationParties,
  options: PublishOptions,
): Promise<void> {
  const { type: issuerType, validUntil } = options
  const usualType = registries.testbed?.credentialType?.vcType ?? defaultCredentialType
  const { accreditedFor = [usualType] } = options
  const now = registries.now()
  await warnIfUnregistered(registries, subject.did)
  const { url, jwt, transactions } = await publishAccreditation(
    {
      tir: registries.tir(),
      chain: registries.chain(),
      onUnsigned: (transaction) => describeTransaction(transaction).forEach(say),
    },
    {
      subject,
      issuerType,
      accreditedFor,
      accreditor,
      sender,
      tirBaseUrl: registries.tirBaseUrl(),
      now,
      validUntil: validUntil ?? now + tenYears,
    },
  )
  if (options.json) return printJson({ ...subject, issuerType, url, transactions, jwt })
  say(`Transactions: ${transactions.join(', ')}`)
  say(`attributeId: ${subject.attributeId}`)
  print(url)
}

/** A DID may be accredited first and registered later, but an unknown DID is usually a typo. */
async function warnIfUnregistered(registries: Registries, did: string): Promise<void> {
  // Publishing does not need the DID registry, so it may be unavailable.
  const found = await registries
    .didRegistryIfKnown()
    ?.resolve(did)
    .then(
      (document) => document !== undefined,
      () => undefined,
    )
  if (found === false) {
    say(`! ${did} is not in the DID registry. Until it is registered, its credentials are invalid.`)
  }
}
