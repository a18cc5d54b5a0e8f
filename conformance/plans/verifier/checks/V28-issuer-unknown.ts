import { registerIssuer } from '../../../world/register-issuer.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'

export const check = defineVerifierCheck({
  id: 'V28',
  title: 'A credential of an issuer that the DID registry does not know is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
  description:
    'Without a DID document there is no key to verify the signature with; a verifier that goes on without it believes anything.',
  sends:
    'A credential of an issuer that is accredited in the TIR, but whose DID the registry answers with 404.',
  decides: 'It may not be accepted.',
  run(context) {
    const { world } = context.trust
    const issuer = registerIssuer(world)
    const others = world.keyUses.filter(({ kid }) => kid !== issuer.kid)
    world.keyUses.splice(0, world.keyUses.length, ...others)
    return expectRefused(context, [{ what: 'The DID of the issuer is not registered.', issuer }])
  },
})
