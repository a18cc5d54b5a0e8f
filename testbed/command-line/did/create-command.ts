import type { Command } from 'commander'
import { privateJwkFromHex } from '#core/crypto/create-private-jwk.ts'
import { createDidProof } from '#core/did/create-did-proof.ts'
import { didOfProof } from '#core/did/did-of-proof.ts'
import { type DidEnvironment, didPrefixes } from '#core/did/did-org.ts'
import { verificationMethodIdOf } from '#core/did/verification-method-id.ts'
import type { Signer } from '../../registries/signer.ts'
import { addKeyOptions, type KeyOptions, requireKey } from '../registries/key-options.ts'
import { environmentOption } from '../registries/registry-options.ts'
import { print, printJson, say } from '../wallet/print.ts'
import type { CreatedDid } from './z-created-did.ts'

interface CreateOptions extends KeyOptions {
  readonly json?: boolean
  readonly env: DidEnvironment
}

/**
 * The DID of a key with its proof and what else a registration needs; nothing secret.
 *
 * @row 2.endpoints/did-registry.17 2.endpoints/did-registry.20
 */
export function createDid(
  { privateKey, address }: Signer,
  environment: DidEnvironment,
): CreatedDid {
  const { proof, publicKey } = createDidProof(privateKey)
  return {
    did: didOfProof(proof, environment),
    proof,
    publicKey,
    vMethodId: verificationMethodIdOf(privateJwkFromHex(privateKey)),
    address,
  }
}

/**
 * `testbed did create`: the DID that a key stands for, with its proof. Registers nothing.
 *
 * @assumption A-01
 */
export function addCreateCommand(parent: Command): void {
  addKeyOptions(parent.command('create'), 'the private key')
    .description('make the DID of a key, and the proof that registers it')
    .addOption(environmentOption().default('pre'))
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const created = createDid(await requireKey(options, 'the key'), options.env)
      if (options.json) return printJson(created)
      for (const [name, value] of Object.entries(created)) print(`${name}: ${value}`)
      say(`A DID of ${didPrefixes[options.env]}; testbed did register puts it on the chain.`)
    })
}
