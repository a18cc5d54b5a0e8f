import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { type OperatorKey, readOperatorKey } from '#conformance/kit/evidence/operator-key.ts'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { type Signer, signerOf } from '#core/ethereum/account.ts'
import { parseAttributeId } from '#core/trust/tir-attribute.ts'
import { parseIsoTime } from '#core/verification/data-model.ts'
import { describeFileError } from '#kit/files.ts'
import { wrongUsage } from '#scenarios/errors.ts'

/** Options of every command that uses a registry. */
export interface RegistryOptions {
  readonly json?: boolean
  readonly verbose?: boolean
  readonly data: string
  readonly env?: DidEnvironment
  readonly didRegistry?: string
  readonly tir?: string
  readonly apiKey?: string
  readonly chainRpc?: string
}

export const environmentOption = (description = 'environment of the DIDs') =>
  new Option('--env <environment>', description).choices(['pre', 'pro'])

/**
 * Adds the options that select the registries. If an address is given, nothing is taken from a
 * running testbed: its keys and its chain belong to its own registries.
 */
export function addRegistryOptions(
  command: Command,
  needs: readonly ('didRegistry' | 'tir' | 'apiKey' | 'chainRpc')[],
): Command {
  const options = {
    didRegistry: new Option(
      '--did-registry <url>',
      "base address of the DID registry; default: the running testbed's registries",
    ).argParser(urlOf),
    tir: new Option('--tir <url>', 'base address of the TIR').argParser(urlOf),
    apiKey: new Option('--api-key <key>', 'key for writing to the TIR (x-api-key)'),
    chainRpc: new Option('--chain-rpc <url>', 'chain node, for receipts').argParser(urlOf),
  }
  for (const need of needs) command.addOption(options[need])
  return command
    .addOption(environmentOption())
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
}

/** What was read from a stream, if anything. */
const wasRead = new WeakMap<object, string>()

/**
 * The text of a file, or of stdin for `-`.
 * @throws TestbedError `invalid_option` for a file that cannot be read, or if stdin was already
 * read for another option
 */
export async function readInput(file: string, what: string): Promise<string> {
  if (file !== '-') {
    return readFile(file, 'utf8').catch((cause) => {
      const reason = describeFileError(cause) ?? cause.code
      throw wrongUsage(`Cannot read ${file}, ${what}: ${reason}.`)
    })
  }
  const { stdin } = process
  const before = wasRead.get(stdin)
  if (before !== undefined)
    throw wrongUsage(`stdin is already ${before} and cannot also be ${what}.`)
  wasRead.set(stdin, what)
  return text(stdin)
}

/** The JSON of a file, or of stdin for `-`; `invalid_option` if it is not valid JSON. */
export async function readJsonInput(file: string, what: string): Promise<unknown> {
  const content = await readInput(file, what)
  try {
    return JSON.parse(content)
  } catch {
    throw wrongUsage(`${what} is not valid JSON.`)
  }
}

/** The source of the key that a command needs. */
export interface KeyOptions {
  readonly privateKey?: string | undefined
  readonly keyFile?: string | undefined
}

/**
 * Adds the options for a key. Every user of the machine can read a command line, so the file option
 * is first.
 */
export function addKeyOptions(command: Command, whose: string): Command {
  return command
    .option('--key-file <file>', `file with ${whose}; - for stdin`)
    .option('--private-key <hex>', `${whose}; visible to every user of this machine`)
}

const zKeyFile = z.union([
  z.looseObject({ privateKey: z.string() }).transform(({ privateKey }) => privateKey),
  z
    .looseObject({ kty: z.literal('EC'), crv: z.literal('secp256k1'), d: z.base64url() })
    .transform(({ d }) => Buffer.from(d, 'base64url').toString('hex')),
])

/**
 * The key in a file: hex, the JSON that `did keys` writes, or a JWK. Undefined for anything else.
 */
function parseKeyFile(content: string): string | undefined {
  const trimmed = content.trim()
  if (!trimmed.startsWith('{')) return trimmed
  try {
    return zKeyFile.parse(JSON.parse(trimmed))
  } catch {
    return undefined
  }
}

/**
 * The key that the options give, with its account; undefined without one. No error ever repeats a
 * key, right or wrong.
 * @throws TestbedError `invalid_option` if it is not a valid key
 */
export async function readKey(
  { privateKey, keyFile }: KeyOptions,
  option = '--key-file',
): Promise<Signer | undefined> {
  if (privateKey !== undefined && keyFile !== undefined) {
    throw wrongUsage('Specify either --key-file or --private-key.')
  }
  if (privateKey === undefined && keyFile === undefined) return undefined
  const text = privateKey ?? parseKeyFile(await readInput(keyFile ?? '-', `the file of ${option}`))
  const hex = `0x${(text ?? '').replace(/^0x/, '')}`
  try {
    privateJwkFromHex(hex)
  } catch {
    throw wrongUsage('The private key is not a valid secp256k1 key.', [
      'It has 64 hex digits, with or without 0x; a file may contain a JWK, or JSON with privateKey.',
    ])
  }
  return signerOf(hex)
}

/** The key that the options give, else the default; `invalid_option` if there is neither. */
export async function requireKey(
  options: KeyOptions,
  whose: string,
  { otherwise, option = '--key-file' }: { otherwise?: string | undefined; option?: string } = {},
): Promise<Signer> {
  const given = await readKey(options, option)
  if (given !== undefined) return given
  if (otherwise !== undefined) return signerOf(otherwise)
  throw wrongUsage(`Specify ${whose} with ${option} FILE (- for stdin).`)
}

/** How a command signs what it writes. */
export interface SigningOptions {
  /** File with a private key. */
  readonly sign?: string
  /** `kid` of the signature. */
  readonly keyId?: string
}

/**
 * The key that `--sign` names, under the name that `--key-id` gives it; undefined without `--sign`.
 * @throws TestbedError `invalid_option` if it is not a valid key; no error repeats it
 */
export async function readSigningKey({
  sign,
  keyId,
}: SigningOptions): Promise<OperatorKey | undefined> {
  if (sign !== undefined) return readOperatorKey(await readInput(sign, 'the key of --sign'), keyId)
  if (keyId !== undefined) throw wrongUsage('--key-id requires --sign FILE.')
  return undefined
}

/** Collects the values of an option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
]

/** Parses an option that is a time: Unix seconds, or ISO 8601 with a time zone. */
export function instantOf(text: string): number {
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) : parseIsoTime(text)
  if (seconds !== undefined) return Math.floor(seconds)
  throw new InvalidArgumentError('Unix seconds, or a time such as 2026-11-21T10:00:00Z.')
}

/** Parses an option that is a web address, and removes a trailing slash. */
export const urlOf = (text: string): string => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('It is not an http or https address.')
  }
  return text.replace(/\/$/, '')
}

/** Parses an option that is a whole number of seconds or a Unix time in seconds. */
export const secondsOf = (text: string): number => {
  if (!/^\d{1,10}$/.test(text))
    throw new InvalidArgumentError('It is not a whole number of seconds.')
  return Number(text)
}

/** Parses an option or argument that is an attributeId: 64 hex digits, with or without 0x. */
export function attributeIdOf(text: string): string {
  const attributeId = parseAttributeId(text)
  if (attributeId !== undefined) return attributeId
  throw new InvalidArgumentError('An attributeId has 64 hex digits.')
}
