import type { Command } from 'commander'
import { z } from 'zod'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { type Signer, signerOf } from '#core/ethereum/account.ts'
import { readInput } from './read-input.ts'
import { wrongUsage } from './wrong-usage.ts'

/** Where the key comes from that a command needs. */
export interface KeyOptions {
  readonly privateKey?: string | undefined
  readonly keyFile?: string | undefined
}

/** Adds the options for a key. On a command line everybody on the machine can read it: files first. */
export function addKeyOptions(command: Command, whose: string): Command {
  return command
    .option('--key-file <file>', `file with ${whose}; - for stdin`)
    .option('--private-key <hex>', `${whose}; anybody on this machine may see it`)
}

const zKeyFile = z.union([
  z.looseObject({ privateKey: z.string() }).transform(({ privateKey }) => privateKey),
  z
    .looseObject({ kty: z.literal('EC'), crv: z.literal('secp256k1'), d: z.base64url() })
    .transform(({ d }) => Buffer.from(d, 'base64url').toString('hex')),
])

/** The key of a file: hex, the JSON that `did keys` writes, or a JWK. Undefined for anything else. */
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
 * The key that the options give, with its account; undefined where they give none. No error ever
 * repeats a key, right or wrong. Throws a TestbedError `invalid_option` for what is no key.
 */
export async function readKey(
  { privateKey, keyFile }: KeyOptions,
  option = '--key-file',
): Promise<Signer | undefined> {
  if (privateKey !== undefined && keyFile !== undefined) {
    throw wrongUsage('Give one of --key-file and --private-key.')
  }
  if (privateKey === undefined && keyFile === undefined) return undefined
  const text = privateKey ?? parseKeyFile(await readInput(keyFile ?? '-', `the file of ${option}`))
  const hex = `0x${(text ?? '').replace(/^0x/, '')}`
  try {
    privateJwkFromHex(hex)
  } catch {
    throw wrongUsage('The private key is no key of secp256k1.', [
      'It is 64 hex digits, with or without 0x; a file may hold a JWK, or JSON with privateKey.',
    ])
  }
  return signerOf(hex)
}

/** The key that the options give, else the other one; `invalid_option` where there is neither. */
export async function requireKey(
  options: KeyOptions,
  whose: string,
  { otherwise, option = '--key-file' }: { otherwise?: string | undefined; option?: string } = {},
): Promise<Signer> {
  const given = await readKey(options, option)
  if (given !== undefined) return given
  if (otherwise !== undefined) return signerOf(otherwise)
  throw wrongUsage(`Give ${whose} with ${option} FILE (- for stdin).`)
}
