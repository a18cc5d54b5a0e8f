import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { setHeaders } from '#wallet-emulator/faults/change-call.ts'
import { changeSignature, setMembers, setPayload } from '#wallet-emulator/faults/change-jws.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { defineChecks, held } from '../../../kit/check.ts'
import { findShortR, signJwtWith } from '../../../kit/signatures.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { VerifierContext } from '../context.ts'
import {
  acceptances,
  findNotAccepted,
  type PresentationCase,
  withChange,
  withDefect,
  withDefects,
  withFaults,
} from '../presentation-checks.ts'

/** Valid presentations that differ from the usual one. A verifier must accept them. */
export const checks = {
  ...acceptances({
    'V55-eddsa-did-key': {
      title: 'A holder with EdDSA and did:key is accepted',
      level: 'spec',
      rows: ['1.resources-and-their-fields/supported-curves.2'],
      description:
        'The wallet uses the curve chosen when its account was created. A verifier that supports only one suite locks out all other holders.',
      fix: 'Support EdDSA with did:key: decode the identifier from base58btc, remove the prefix 0xed01, and use the 32 bytes as an Ed25519 key.',
      presentations: [
        {
          what: 'A presentation of a holder with EdDSA and did:key (z6Mk).',
          account: createAccount({ curve: 'Ed25519', didMethod: 'key' }),
        },
      ],
    },
    'V56-es256k-did-jwk': {
      title: 'A holder with ES256K and did:jwk is accepted',
      level: 'spec',
      rows: ['1.resources-and-their-fields/supported-curves.1'],
      description:
        'The wallet uses the curve chosen when its account was created. A verifier that supports only one suite locks out all other holders.',
      fix: 'Support ES256K with did:jwk: decode the identifier from base64url to a JWK with kty EC and crv secp256k1. The fragment of kid is 0.',
      presentations: [
        {
          what: 'A presentation of a holder with ES256K and did:jwk.',
          account: createAccount({ curve: 'secp256k1', didMethod: 'jwk' }),
        },
      ],
    },
    'V57-eddsa-did-jwk': {
      title: 'A holder with EdDSA and did:jwk is accepted',
      level: 'spec',
      rows: ['1.resources-and-their-fields/supported-curves.2'],
      description:
        'The wallet uses the curve chosen when its account was created. A verifier that supports only one suite locks out all other holders.',
      fix: 'Support EdDSA with did:jwk: decode the identifier from base64url to a JWK with kty OKP and crv Ed25519. The fragment of kid is 0.',
      presentations: [
        {
          what: 'A presentation of a holder with EdDSA and did:jwk.',
          account: createAccount({ curve: 'Ed25519', didMethod: 'jwk' }),
        },
      ],
    },
    'V58-high-s': {
      title: 'A presentation whose ES256K signature has a high s or a short r is accepted',
      level: 'final',
      clauses: ['RFC 8812, 3.2'],
      description:
        'Low s is an Ethereum convention. About half of the signatures of OpenSSL-based wallets have a high s. A library that rejects them fails every other login of their holders. In one of 256 signatures r begins with a zero byte.',
      fix: 'Accept both values of s in ES256K signatures of presentations. Turn off the low-S rule of your secp256k1 library, such as lowS in @noble/curves. Read r and s as 32 bytes each, with their zeros.',
      sends:
        'Presentations whose s is the higher of the two valid values, and whose r begins with a zero byte.',
      presentations: async () => {
        const sign = await findShortR()
        return [
          ...withFaults('presentation-high-s'),
          withChange('r of the signature of the presentation begins with a zero byte.', {
            presentation: changeSignature((_, input, { account }) =>
              sign(input, account.privateKey),
            ),
          }),
        ]
      },
    },
    'V59-credential-high-s': {
      title: 'A credential whose ES256K signature has a high s or a short r is accepted',
      level: 'final',
      clauses: ['RFC 8812, 3.2'],
      description:
        'Issuers produce high s values as well: about half of the signatures that OpenSSL creates. In one of 256 signatures r begins with a zero byte.',
      fix: 'Accept both values of s in ES256K signatures of credentials. Turn off the low-S rule of your secp256k1 library, such as lowS in @noble/curves. Read r and s as 32 bytes each, with their zeros.',
      sends:
        'Credentials whose s is the higher of the two valid values, and whose r begins with a zero byte.',
      presentations: async () => [
        ...withDefects('high-s-signature'),
        withDefect('r of the signature of the credential begins with a zero byte.', {
          sign: signJwtWith(await findShortR()),
        }),
      ],
    },
    'V61-issuer-as-object': {
      title: 'A credential whose issuer is an object is accepted',
      level: 'final',
      clauses: ['W3C VC Data Model 2.0, 4.7'],
      description:
        'issuer is a URL or an object whose id is that URL. Issuers that show a name use the object.',
      fix: 'Read vc.issuer as a string, or as an object with the DID as its id. Compare that DID with iss.',
      presentations: [
        withDefect('vc.issuer is an object.', {
          change: ({ issuer }) => ({ vc: { issuer: { id: issuer.did, name: 'The issuer' } } }),
        }),
      ],
    },
    'V62-unknown-members': {
      title: 'Unknown members are ignored',
      level: 'final',
      clauses: ['RFC 7519, 4', 'OpenID4VP 1.0, 8.1'],
      description:
        'Wallets send more than the required members: jti, the holder, an id of the presentation, fields of a later version.',
      fix: 'Ignore unknown members of the presentation and unknown fields of the form. Do not validate them with a schema that forbids additional properties.',
      presentations: [
        withChange('The presentation has additional members, and its form an additional field.', {
          presentation: setPayload({
            jti: 'urn:uuid:3c2a7c6e-5a0e-4f0f-9d53-0d6a1c1f2b11',
            'vp.id': 'urn:uuid:3c2a7c6e-5a0e-4f0f-9d53-0d6a1c1f2b11',
            'vp.holder': (_: unknown, { account }: { account: { did: string } }) => account.did,
          }),
          presentationResponse: setMembers({ wallet_version: '2' }),
        }),
      ],
    },
    'V63-several-terms-of-use': {
      title: 'A credential with several termsOfUse is accepted',
      level: 'final',
      clauses: ['W3C VC Data Model 2.0, 5.5'],
      description:
        'termsOfUse may be a list that contains other terms as well as the accreditation.',
      fix: 'Read vc.termsOfUse as an object or as an array. In an array, use the element whose id is an address of your TIR.',
      presentations: [
        withTermsOfUse('termsOfUse is a list of one.', (own) => [own]),
        withTermsOfUse('termsOfUse is a list.', (own) => [
          { id: 'https://example.org/policy', type: 'IssuerPolicy' },
          own,
        ]),
        withTermsOfUse('The first element of termsOfUse has no id.', (own) => [
          { type: 'IssuerPolicy' },
          own,
          { type: 'IssuerPolicy' },
        ]),
      ],
    },
    'V64-form-with-charset': {
      title: 'A form whose content type has a charset or capital letters is accepted',
      level: 'practice',
      description:
        'Many HTTP libraries add the charset to the content type of a form, and media types are case-insensitive. It is still a form.',
      fix: 'Compare only the media type of Content-Type, regardless of case, and ignore its parameters, such as charset.',
      presentations: [
        withChange('The content type of the form names a charset.', {
          presentationCall: setHeaders({
            'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
          }),
        }),
        withChange('The content type of the form has capital letters.', {
          presentationCall: setHeaders({ 'content-type': 'Application/X-WWW-Form-Urlencoded' }),
        }),
      ],
    },
    'V65-tao-below-tao': {
      title: 'An issuer several TAOs below the root is accepted',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description:
        'attribute.tao names the immediate superior TAO, which may itself have a superior TAO. The verifier follows the chain to its root, regardless of its length.',
      sends:
        'A credential of an issuer that was accredited by a TAO, which was accredited by another TAO.',
      fix: 'Follow attribute.tao in a loop until issuerType is RTAO, not for a fixed number of steps. Limit the length to a number such as 8.',
      presentations: ({ trust: { world } }) => {
        const parent = registerIssuer(world, { issuerType: 'TAO' })
        const issuer = registerIssuer(world, { parent })
        let lowest = parent
        for (let link = 2; link < 6; link++) {
          lowest = registerIssuer(world, { parent: lowest, issuerType: 'TAO' })
        }
        return [
          { what: 'There are two TAOs between the issuer and the root.', issuer },
          {
            what: 'There are six TAOs between the issuer and the root.',
            issuer: registerIssuer(world, { parent: lowest }),
          },
        ]
      },
    },
  }),
  ...defineChecks<VerifierContext>({
    'V84-no-state': {
      title: 'A form without state is accepted',
      level: 'spec',
      expectation: 'accept',
      control: 'presentation',
      rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1'],
      description:
        'A wallet that follows the profile sends two fields, vp_token and presentation_submission. A verifier that requires a third one cannot serve it.',
      sends: 'A valid presentation whose form has no state.',
      decides:
        'The verifier must accept it. If the request had a state, a rejection is a WARN: OpenID4VP requires wallets to return it.',
      fix: 'Do not require state in the form. Find the session by response_uri.',
      async run({ openRequest, present, observe }) {
        const opened = await openRequest()
        const answer = await present(opened, withFaults('response-missing-state')[0])
        const observation = await observe(opened, answer)
        const finding = findNotAccepted('A valid presentation without state.', observation)
        if (finding === undefined) {
          return held(`Accepted. ${observation.reason}`, { verdictSource: observation.source })
        }
        const hadState = opened.parameters.state !== undefined
        return finding.kind === 'broken' && hadState ? { ...finding, level: 'final' } : finding
      },
    },
  }),
}

function withTermsOfUse(what: string, change: (own: object) => unknown): PresentationCase {
  return withDefect(what, {
    change: ({ issuer, tirBaseUrl }) => {
      const id = createTermsOfUseUrl(tirBaseUrl, issuer)
      return { vc: { termsOfUse: change({ id, type: 'TrustedIssuersRegistryEntry' }) } }
    },
  })
}
