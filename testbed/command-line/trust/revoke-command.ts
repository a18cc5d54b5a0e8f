import type { Command } from 'commander'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { parseAttributeId, type TirAttribute } from '#core/trust/tir-attribute.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { writeAttributeMetadata } from '../../registries/write-attribute.ts'
import { describeTransaction } from '../registries/describe-transaction.ts'
import { findRegistries, type Registries } from '../registries/find-registries.ts'
import { addKeyOptions, type KeyOptions, requireKey } from '../registries/key-options.ts'
import { addRegistryOptions, type RegistryOptions } from '../registries/registry-options.ts'
import { wrongUsage } from '../registries/wrong-usage.ts'
import { confirm } from '../terminal/ask.ts'
import { print, printJson, say } from '../terminal/print.ts'
import { explainRefusal } from '../wallet/explain-refusal.ts'
import { attributeIdOf } from './attribute-id-option.ts'

interface RevokeOptions extends RegistryOptions, KeyOptions {
  readonly taoAttribute?: string
  readonly yes?: boolean
}

/**
 * `testbed trust revoke`: setAttributeMetadata with REVOKED and the taoDid of the publication
 * (document 2, States and transitions).
 */
export function addRevokeCommand(parent: Command): void {
  const command = addRegistryOptions(parent.command('revoke'), ['tir', 'apiKey', 'chainRpc'])
  addKeyOptions(command, "private key of the accrediting TAO, or of the registry's operator")
    .description('revoke an accreditation, for good')
    .argument('<did>', 'the DID that is accredited')
    .argument('<attributeId>', 'its attributeId, 64 hex digits', attributeIdOf)
    .option(
      '--tao-attribute <hex>',
      "attributeId of the TAO's own accreditation, where the registry does not tell it",
      attributeIdOf,
    )
    .option('-y, --yes', "do not ask before revoking one of the testbed's own accreditations")
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
  const { attribute } = requireActive(await tir.readAttribute(did, attributeId), did)
  const attributeIdTao = options.taoAttribute ?? parseAttributeId(attribute.attributeIdTao ?? '')
  if (attributeIdTao === undefined) {
    throw wrongUsage('The registry does not tell the attribute of the TAO: give --tao-attribute.')
  }
  const { testbed } = registries
  const members = Object.values(testbed?.trustChain ?? {})
  const own = members.find((member) => member.did === attribute.tao) ?? testbed?.operator
  if (members.some((member) => member.did === did && member.attributeId === attributeId)) {
    say("Every credential of the testbed's issuer depends on this accreditation.")
    say(`A revocation is final: afterwards only \`${programCommand} reset\` restores logins.`)
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
  say(`The accreditation of ${did} is revoked.`)
  print(hash)
}

function requireActive(found: TirAttribute | undefined, did: string): TirAttribute {
  if (found === undefined) {
    throw new TestbedError({
      code: 'unknown_accreditation',
      status: 404,
      message: `The TIR has no such accreditation of ${did}.`,
    })
  }
  if (found.attribute.issuerType !== 'REVOKED') return found
  throw new TestbedError({
    code: 'already_revoked',
    status: 409,
    message: `This accreditation of ${did} is revoked already.`,
  })
}
