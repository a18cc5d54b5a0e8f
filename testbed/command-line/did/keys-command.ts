import { writeFile } from 'node:fs/promises'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Command } from 'commander'
import { privateJwkFromHex, publicJwkOf, publicKeyHexOf } from '#core/crypto/jwk.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import { addressOfPublicKey } from '#core/ethereum/account.ts'
import { describeFileError } from '#kit/files.ts'
import { addKeyOptions, type KeyOptions, readKey } from '../registries/key-options.ts'
import { wrongUsage } from '../registries/wrong-usage.ts'
import { print, printJson, say } from '../terminal/print.ts'

interface KeysOptions extends KeyOptions {
  readonly json?: boolean
  readonly out?: string
  readonly showPrivateKey?: boolean
}

/** `testbed did keys`: key material in every form in which the registries take it. */
export function addKeysCommand(parent: Command): void {
  addKeyOptions(parent.command('keys'), 'a private key that is there already')
    .description('make a secp256k1 key, or show what belongs to one')
    .option('--out <file>', 'write the private key to a new file that only you can read')
    .option('--show-private-key', 'print the private key')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<KeysOptions>()
      const { json, out, showPrivateKey } = options
      const given = await readKey(options)
      if (given === undefined && out === undefined && !showPrivateKey) {
        throw wrongUsage('The new key would be lost.', [
          'Keep it with --out FILE, or have it printed with --show-private-key.',
        ])
      }
      const privateKey =
        given?.privateKey ?? `0x${Buffer.from(secp256k1.utils.randomSecretKey()).toString('hex')}`
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
 * The public side of a key, as document 2 has it (Verification method input): `publicKey` for the
 * publicKeyType secp256k1, `publicKeyHexJwk` for JsonWebKey2020.
 */
function describeKey(privateKey: string) {
  const jwk = publicJwkOf(privateJwkFromHex(privateKey))
  return {
    address: addressOfPublicKey(jwk),
    publicKey: publicKeyHexOf(jwk),
    vMethodId: verificationMethodIdOf(jwk),
    publicKeyJwk: jwk,
    publicKeyHexJwk: `0x${Buffer.from(JSON.stringify(jwk)).toString('hex')}`,
  }
}

/** A key that was there is never overwritten. */
async function keep(file: string, content: object): Promise<void> {
  const text = `${JSON.stringify(content, null, 2)}\n`
  await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((cause) => {
    throw wrongUsage(
      `Cannot write ${file}, the file of --out: ${describeFileError(cause) ?? cause.code}.`,
    )
  })
}
