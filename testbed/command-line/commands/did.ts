import { writeFile } from 'node:fs/promises'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Command } from 'commander'
import { z } from 'zod'
import { decodeCall } from '#core/contracts/decode-abi.ts'
import { privateJwkFromHex, publicJwkOf, publicKeyHexOf } from '#core/crypto/jwk.ts'
import { type DidDocument, relationshipNames } from '#core/did/did-document.ts'
import { type DidEnvironment, verificationMethodIdOf } from '#core/did/did-org.ts'
import { createDid } from '#core/did/did-proof.ts'
import { addressOfPublicKey, toHex } from '#core/ethereum/account.ts'
import {
  parseSignedTransaction,
  signTransaction,
  type UnsignedTransaction,
  zUnsignedTransaction,
} from '#core/ethereum/transaction.ts'
import { describeFileError } from '#kit/files.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { settleTransaction } from '#testbed/registries/write-registries.ts'
import { describeTransaction } from '../describe-transaction.ts'
import { declined, notRegistered, unknownCall } from '../errors.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { findRegistries } from '../find-registries.ts'
import {
  addKeyOptions,
  addRegistryOptions,
  environmentOption,
  instantOf,
  type KeyOptions,
  type RegistryOptions,
  readInput,
  readJsonInput,
  readKey,
  requireKey,
} from '../options.ts'
import { addRegisterCommand } from '../register-did.ts'
import { ask, plainText, print, printJson, say } from '../terminal.ts'

export const summary = 'create, register and resolve DIDs, and sign transactions offline'

export const examples = [
  ['did keys --out key.json', 'a new key, in a file that only you can read'],
  ['did create --key-file key.json', 'its DID and proof, offline'],
  [
    'did register --key-file key.json --assertion-method --also-known-as urn:oid:organizationIdentifier:VATES-M00000006',
    'register a DID whose key may sign credentials',
  ],
  [
    'did register --key-file key.json --also-known-as urn:oid:… --unsigned --from 0x2f… > register.json',
    'only prepare the transaction',
  ],
  [
    'did sign register.json --key-file key.json > signed.json',
    'sign it on a machine without a network',
  ],
  ['did send signed.json', 'send it'],
  ['did resolve did:org:uc-pre:z1… --valid-at 2026-11-21T10:00:00Z', 'the DID document at a time'],
] as const

/** `testbed did …`: the DID generation tool and its offline signing. */
export function configure(command: Command): void {
  addKeysCommand(command)
  addCreateCommand(command)
  addSignCommand(command)
  addSendCommand(command)
  addRegisterCommand(command)
  addResolveCommand(command)
}

interface CreateOptions extends KeyOptions {
  readonly json?: boolean
  readonly env: DidEnvironment
}

/**
 * `testbed did create`: the DID of a key, with its proof. Registers nothing.
 *
 * @assumption A-01
 */
function addCreateCommand(parent: Command): void {
  addKeyOptions(parent.command('create'), 'the private key')
    .description('create the DID of a key, and the proof that registers it')
    .addOption(environmentOption('environment of the DID').default('pre'))
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const { privateKey } = await requireKey(options, 'the key')
      const created = createDid(privateKey, options.env)
      if (options.json) return printJson(created)
      for (const [name, value] of Object.entries(created)) print(`${name}: ${value}`)
      say(`The DID is not registered yet. Register it with ${programCommand} did register.`)
    })
}

interface KeysOptions extends KeyOptions {
  readonly json?: boolean
  readonly out?: string
  readonly showPrivateKey?: boolean
}

/** `testbed did keys`: key material in every form that the registries accept. */
function addKeysCommand(parent: Command): void {
  addKeyOptions(parent.command('keys'), 'an existing private key')
    .description('create a secp256k1 key, or show the forms of an existing key')
    .option('--out <file>', 'write the private key to a new file that only you can read')
    .option('--show-private-key', 'print the private key')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<KeysOptions>()
      const { json, out, showPrivateKey } = options
      const given = await readKey(options)
      if (given === undefined && out === undefined && !showPrivateKey) {
        throw wrongUsage('The new key would be lost.', [
          'Write it to a file with --out FILE, or print it with --show-private-key.',
        ])
      }
      const privateKey = given?.privateKey ?? toHex(secp256k1.utils.randomSecretKey())
      const material = describeKey(privateKey)
      if (out !== undefined) await keep(out, { ...material, privateKey })
      const shown = { ...material, ...(showPrivateKey ? { privateKey } : {}) }
      if (json) return printJson(shown)
      for (const [name, value] of Object.entries(shown)) {
        print(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      }
      if (out !== undefined) say(`The private key is in ${out}.`)
    })
}

/**
 * The public key in the forms of the profile (profile/did-registry, Keys): `publicKey` for the
 * publicKeyType secp256k1, `publicKeyHexJwk` for JsonWebKey2020.
 */
function describeKey(privateKey: string) {
  const jwk = publicJwkOf(privateJwkFromHex(privateKey))
  return {
    address: addressOfPublicKey(jwk),
    publicKey: publicKeyHexOf(jwk),
    vMethodId: verificationMethodIdOf(jwk),
    publicKeyJwk: jwk,
    publicKeyHexJwk: toHex(Buffer.from(JSON.stringify(jwk))),
  }
}

/** An existing key is never overwritten. */
async function keep(file: string, content: object): Promise<void> {
  const text = `${JSON.stringify(content, null, 2)}\n`
  await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((cause) => {
    throw wrongUsage(`Cannot write ${file} (--out): ${describeFileError(cause) ?? cause.code}.`)
  })
}

interface ResolveOptions extends RegistryOptions {
  readonly validAt?: number
}

/** `testbed did resolve`: a DID document, now or as it was at an instant. */
function addResolveCommand(parent: Command): void {
  addRegistryOptions(parent.command('resolve'), ['didRegistry'])
    .description('show the DID document of a DID')
    .argument('<did>', 'the DID')
    .option('--valid-at <time>', 'the state at that time: Unix seconds or ISO 8601', instantOf)
    .action(async (did: string, _, command: Command) => {
      const options = command.optsWithGlobals<ResolveOptions>()
      const registry = (await findRegistries(options, did)).didRegistry()
      const document = await explainRefusal(() => registry.resolve(did, options.validAt))
      if (document === undefined) {
        throw notRegistered(did, {
          isForNow: options.validAt === undefined,
          registryUrl: options.didRegistry,
        })
      }
      if (options.json) return printJson(document)
      for (const line of describeDocument(document)) print(plainText(line))
    })
}

/** Formats a DID document for people: controllers, and each key with its curve and purposes. */
function describeDocument(document: DidDocument): readonly string[] {
  const { id, controller, verificationMethod, alsoKnownAs = [] } = document
  const usesOf = (method: string) =>
    relationshipNames.filter((name) => document[name]?.includes(method))
  return [
    id,
    ...alsoKnownAs.map((name) => `  also known as ${name}`),
    ...controller.map((address) => `  controlled by ${address}`),
    ...verificationMethod.map((method) => {
      const uses = usesOf(method.id).join(', ')
      const { crv, kty } = method.publicKeyJwk
      return `  key ${method.id.slice(method.id.indexOf('#'))} ${crv ?? kty}: ${uses || 'no purpose'}`
    }),
  ]
}

interface SignOptions extends KeyOptions {
  readonly json?: boolean
  readonly yes?: boolean
  readonly allowUnknown?: boolean
}

/** The transaction itself, or the TIR's JSON-RPC answer that contains it. */
const zInput = z.union([
  zUnsignedTransaction,
  z.looseObject({ result: zUnsignedTransaction }).transform(({ result }) => result),
])

/** `testbed did sign`: signs, without a network, a transaction that a registry has built. */
function addSignCommand(parent: Command): void {
  addKeyOptions(parent.command('sign'), 'the private key')
    .description('sign an unsigned transaction offline; prints the raw transaction')
    .argument('<file>', 'the unsigned transaction as JSON; - for stdin')
    .option('--yes', 'skip the confirmation')
    .option('--allow-unknown', 'sign call data that neither registry defines')
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<SignOptions>()
      const unsignedTransaction = await readUnsigned(file)
      for (const line of describeTransaction(unsignedTransaction)) say(line)
      const signer = await requireKey(options, 'the private key of the sender (from)')
      // Rejects a key that does not belong to `from` before asking.
      const { raw, r, s, v } = signTransaction(unsignedTransaction, signer.privateKey)
      requireKnown(unsignedTransaction, options)
      await confirm(options)
      if (!options.json) return print(raw)
      const parsed = parseSignedTransaction(raw)
      const hash = parsed.ok ? parsed.transaction.hash : undefined
      // The parameters of the TIR's sendSignedTransaction; the DID registry takes only the last
      // one.
      printJson({ protocol: 'eth', hash, unsignedTransaction, r, s, v, signedRawTransaction: raw })
    })
}

async function readUnsigned(file: string): Promise<UnsignedTransaction> {
  const parsed = zInput.safeParse(await readJsonInput(file, 'the unsigned transaction'))
  if (parsed.success) return parsed.data
  throw wrongUsage('This is not a valid unsigned transaction.', [
    'Its members must be to, data, gasLimit, gasPrice, chainId, nonce, value and from, all as 0x-hex.',
  ])
}

function requireKnown({ data }: UnsignedTransaction, { allowUnknown }: SignOptions): void {
  if (allowUnknown || decodeCall(data) !== undefined) return
  throw unknownCall()
}

async function confirm({ yes }: SignOptions): Promise<void> {
  if (yes) return
  const answer = await ask('Sign this? [y/N] ')
  if (answer === undefined || /^y(es)?$/i.test(answer)) return
  throw declined('Nothing was signed.')
}

const zSigned = z.looseObject({ signedRawTransaction: z.string() })

/** `testbed did send`: sends a transaction that was signed elsewhere to the DID registry. */
function addSendCommand(parent: Command): void {
  addRegistryOptions(parent.command('send'), ['didRegistry', 'chainRpc'])
    .description('send a signed transaction to the DID registry; prints its hash')
    .argument('<file>', 'the output of did sign; - for stdin')
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<RegistryOptions>()
      const raw = await readRaw(file)
      const registries = await findRegistries(options)
      const didRegistry = registries.didRegistry()
      const hash = await explainRefusal(async () => {
        const sent = await didRegistry.send(raw)
        if (sent.state === 'pending') say(`${sent.hash} was sent. Waiting for its receipt.`)
        const chain = registries.chainIfKnown()
        return settleTransaction({ didRegistry, chain }, 'the transaction', sent)
      })
      if (options.json) return printJson({ hash, state: 'applied' })
      print(hash)
    })
}

async function readRaw(file: string): Promise<string> {
  const content = (await readInput(file, 'the signed transaction')).trim()
  const raw = content.startsWith('{') ? parseSigned(content) : content
  if (raw !== undefined && /^0x[0-9a-fA-F]+$/.test(raw)) return raw
  throw wrongUsage('This is not a valid signed transaction.', [
    `${programCommand} did sign prints one.`,
  ])
}

function parseSigned(content: string): string | undefined {
  try {
    return zSigned.parse(JSON.parse(content)).signedRawTransaction
  } catch {
    return undefined
  }
}
