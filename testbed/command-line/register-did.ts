import type { Command } from 'commander'
import { z } from 'zod'
import { didPrefixes, isVerificationMethodId } from '#core/did/did-org.ts'
import { createDid } from '#core/did/did-proof.ts'
import { type Signer, zAddress } from '#core/ethereum/account.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { alreadyRegistered } from '#testbed/errors.ts'
import {
  createFirstDocument,
  registerDid,
  type WriteDidOptions,
} from '#testbed/registries/write-registries.ts'
import { describeTransaction } from './describe-transaction.ts'
import { explainRefusal } from './explain-refusal.ts'
import { findRegistries, type Registries } from './find-registries.ts'
import {
  addKeyOptions,
  addRegistryOptions,
  type KeyOptions,
  type RegistryOptions,
  readJsonInput,
  readKey,
  requireKey,
  secondsOf,
} from './options.ts'
import { print, printJson, say } from './terminal.ts'

interface RegisterOptions extends RegistryOptions, KeyOptions {
  readonly did?: string
  readonly signerKeyFile?: string
  readonly signerPrivateKey?: string
  readonly from?: string
  readonly alsoKnownAs: string
  readonly notBefore?: number
  readonly notAfter?: number
  readonly assertionMethod?: boolean
  readonly unsigned?: boolean
  readonly waitSeconds: number
  readonly pauseSeconds?: number
}

const tenYears = 10 * 365 * 86_400

/**
 * `testbed did register`: requests the first DID document, signs it as an onboarding node, sends it
 * and waits until it is on the chain (profile/did-registry, States).
 */
export function addRegisterCommand(parent: Command): void {
  const command = addRegistryOptions(parent.command('register'), ['didRegistry', 'chainRpc'])
  addKeyOptions(command, 'the private key of the new DID')
    .description('register a DID: insertFirstDidDocument, signed by an onboarding node')
    .option('--did <file>', 'output of did create --json, instead of the key; - for stdin')
    .option('--signer-key-file <file>', 'private key of the onboarding node; - for stdin')
    .option('--signer-private-key <hex>', 'the same key; visible to every user of this machine')
    .requiredOption(
      '--also-known-as <text>',
      'identifier of the organization (required), such as urn:oid:organizationIdentifier:VATES-A12345678',
    )
    .option(
      '--not-before <seconds>',
      'Unix time from which the key is valid; default: now',
      secondsOf,
    )
    .option('--not-after <seconds>', 'expiry as Unix time; default: ten years later', secondsOf)
    .option('--assertion-method', 'also authorize the key to issue credentials; requires the key')
    .option('--unsigned', 'print only the unsigned transaction, for did sign; requires --from')
    .option('--from <address>', 'with --unsigned, the onboarding node that will sign')
    .option('--wait-seconds <n>', 'how long to wait for a transaction to be mined', secondsOf, 60)
    .option('--pause-seconds <n>', 'pause between two requests after a 206; default: 5', secondsOf)
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<RegisterOptions>()
      const { subject, key } = await readSubject(options)
      const registries = await findRegistries(options, subject?.did)
      const created = subject ?? (key && createDid(key.privateKey, registries.environment))
      if (created === undefined) throw wrongUsage('Specify the key of the DID, or --did.')
      await explainRefusal(() => register(registries, created, key, options))
    })
}

/** What `testbed did create --json` prints and `testbed did register` takes. */
const zCreatedDid = z.object({
  did: z.string(),
  proof: z.string().regex(/^0x[0-9a-fA-F]{130}$/),
  publicKey: z.string().regex(/^0x04[0-9a-fA-F]{128}$/),
  vMethodId: z.string().refine(isVerificationMethodId),
  address: zAddress,
})

type CreatedDid = z.infer<typeof zCreatedDid>

/** The DID to register: from its key, or from the output that its holder created elsewhere. */
async function readSubject(options: RegisterOptions) {
  const key = await readKey(options)
  const { did: file, assertionMethod, unsigned, from } = options
  if ((key === undefined) === (file === undefined)) {
    throw wrongUsage('Specify either the key of the new DID (--key-file) or --did FILE, not both.')
  }
  if (assertionMethod && key === undefined) {
    throw wrongUsage('The DID itself signs for --assertion-method, which requires --key-file.')
  }
  if (unsigned && (from === undefined || assertionMethod)) {
    throw wrongUsage(
      '--unsigned prints one transaction. Specify --from and omit --assertion-method.',
    )
  }
  if (file === undefined) return { key, subject: undefined }
  const parsed = zCreatedDid.safeParse(await readJsonInput(file, 'the DID with its proof'))
  if (parsed.success) return { key, subject: parsed.data }
  throw wrongUsage('This is not a DID with its proof.', ['`did create --json` prints one.'])
}

async function register(
  registries: Registries,
  created: CreatedDid,
  key: Signer | undefined,
  options: RegisterOptions,
): Promise<void> {
  const { did, vMethodId } = created
  if (!did.startsWith(didPrefixes[registries.environment])) {
    throw wrongUsage(`${did} is not a DID of the environment ${registries.environment}.`)
  }
  const didRegistry = registries.didRegistry()
  const notBefore = options.notBefore ?? registries.now()
  const validity = { notBefore, notAfter: options.notAfter ?? notBefore + tenYears }
  const { alsoKnownAs } = options
  if (options.unsigned) {
    const body = createFirstDocument(created, alsoKnownAs, validity)
    const { from } = options
    return printJson(await didRegistry.build('insertFirstDidDocument', { ...body, from }))
  }
  if ((await didRegistry.resolve(did)) !== undefined) throw alreadyRegistered(did)
  const onboardingNode = await requireKey(
    { keyFile: options.signerKeyFile, privateKey: options.signerPrivateKey },
    "the onboarding node's key",
    {
      option: '--signer-key-file',
      otherwise: registries.testbed?.onboardingNode.privateKey,
    },
  )
  const transactions = await registerDid({
    created,
    alsoKnownAs,
    validity,
    onboardingNode,
    assertionKey: options.assertionMethod ? key : undefined,
    writing: (kid) => writingOf(registries, options, did, kid),
  })
  if (options.json) return printJson({ did, kid: `${did}#${vMethodId}`, transactions })
  say(`Transactions: ${transactions.join(', ')}`)
  print(did)
}

/** How a transaction is shown and awaited; `assertionMethod` is what it adds, if not the DID. */
function writingOf(
  registries: Registries,
  options: RegisterOptions,
  did: string,
  assertionMethod?: string,
): WriteDidOptions {
  const { waitSeconds, pauseSeconds } = options
  const didRegistry = registries.didRegistry()
  return {
    didRegistry,
    chain: registries.chainIfKnown(),
    limitMilliseconds: waitSeconds * 1000,
    ...(pauseSeconds === undefined ? {} : { pauseMilliseconds: pauseSeconds * 1000 }),
    onUnsigned: (transaction) => describeTransaction(transaction).forEach(say),
    async isVisible() {
      const document = await didRegistry.resolve(did)
      if (assertionMethod === undefined) return document !== undefined
      return document?.assertionMethod.includes(assertionMethod) === true
    },
  }
}
