import { defineCredentialCheck } from '../flow/define-credential-check.ts'

export const check = defineCredentialCheck({
  id: 'I61',
  title: 'The accreditation of the issuer holds, up to the root',
  level: 'spec',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8'],
  description:
    'An issuer whose accreditation ended goes on in good faith, and every login with what it gave out fails.',
  decides:
    "The attribute's did is the issuer, it is not REVOKED, its body is signed by the TAO above it, and so on to one of the target's root DIDs. What types it covers is I65.",
  rules: ['accreditation.', 'attribute.', 'trust.'],
  except: ['trust.accredited-for'],
  needs: ['trust'],
})
