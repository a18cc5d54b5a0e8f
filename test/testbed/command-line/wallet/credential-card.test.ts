import { describe, expect, it } from 'vitest'
import { createLearCredential } from '#core/lear-credential/lear-credential.ts'
import {
  credentialCard,
  summarizeCredential,
} from '#testbed/command-line/wallet/credential-card.ts'

const now = 1_800_000_000

function createStored(payload: object) {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return {
    id: '0123456789abcdef',
    format: 'jwt_vc_json',
    credential: `${encode({ alg: 'ES256K' })}.${encode(payload)}.AAAA`,
    credentialIssuer: 'http://127.0.0.1:4003',
    receivedAt: now,
  }
}

function createPayload(organization = 'Acme Ltd') {
  return createLearCredential({
    id: 'urn:uuid:6c3f1c58-7a26-4d2e-8a3f-3a1f4f6f0c11',
    issuerDid: 'did:org:uc-pre:z1Issuer',
    holderDid: 'did:key:zQ3sHolder',
    mandate: {
      mandator: { organizationIdentifier: 'VATES-A12345678', organization },
      mandatee: {
        employeeId: 'e-7',
        email: 'ana@acme.example',
        firstName: 'Ana',
        lastName: 'Ruiz',
      },
      power: [
        { type: 'domain', domain: 'PORTAL', function: 'Onboarding', action: ['read', 'write'] },
      ],
    },
    termsOfUseUrl: 'http://tir.example/x',
    now,
    validUntil: now + 86_400,
  })
}

describe('credentialCard', () => {
  it('shows the main data for the holder', () => {
    const card = credentialCard(summarizeCredential(createStored(createPayload())), { now })
    expect(card).toMatchInlineSnapshot(`
      "╭────────────────────────────────────────────────────────────────────────╮
      │ OrgPortalLearCredential                               0123456789abcdef │
      ├────────────────────────────────────────────────────────────────────────┤
      │ Organization Acme Ltd                                                  │
      │              VATES-A12345678                                           │
      │ Holder       Ana Ruiz                                                  │
      │              ana@acme.example                                          │
      │ Employee     e-7                                                       │
      │ Powers       PORTAL / Onboarding: read, write                          │
      │ Issuer       did:org:uc-pre:z1Issuer                                   │
      │ Valid        2027-01-15 08:00 to 2027-01-16 08:00 UTC                  │
      │ Credential   urn:uuid:6c3f1c58-7a26-4d2e-8a3f-3a1f4f6f0c11             │
      ╰────────────────────────────────────────────────────────────────────────╯"
    `)
  })

  it('keeps its layout for long and unusual texts', () => {
    const payload = createPayload(`Évil\u001b[2J\u202e ${'very long '.repeat(20)}`)
    const card = credentialCard(summarizeCredential(createStored(payload)), { now, columns: 62 })
    expect(card).not.toContain('\u001b')
    expect(card).not.toContain('\u202e')
    expect(new Set(card.split('\n').map((line) => [...line].length))).toEqual(new Set([62]))
  })

  it('fits a narrow terminal, with characters of any width', () => {
    // A decomposed letter, one of two columns, an emoji of seven code points, an invisible one.
    const payload = createPayload('A\u0301ngel 東京 👩‍👩‍👧‍👦 \u200bSL')
    const card = credentialCard(summarizeCredential(createStored(payload)), { now, columns: 42 })
    expect(card).toMatchInlineSnapshot(`
      "╭────────────────────────────────────────╮
      │ OrgPortalLearCredential                │
      │ 0123456789abcdef                       │
      ├────────────────────────────────────────┤
      │ Organization Ángel 東京 👩‍👩‍👧‍👦 ​SL          │
      │              VATES-A12345678           │
      │ Holder       Ana Ruiz                  │
      │              ana@acme.example          │
      │ Employee     e-7                       │
      │ Powers       PORTAL / Onboarding:      │
      │              read, write               │
      │ Issuer       did:org:uc-pre:z1Issuer   │
      │ Valid        2027-01-15 08:00 to       │
      │              2027-01-16 08:00 UTC      │
      │ Credential   urn:uuid:6c3f1c58-7a26-4d │
      │              2e-8a3f-3a1f4f6f0c11      │
      ╰────────────────────────────────────────╯"
    `)
  })

  it('says whether it is valid', () => {
    const summary = summarizeCredential(createStored(createPayload()))
    expect(credentialCard(summary, { now: now + 86_400 })).toContain('(expired)')
    // As long as the rules allow an issuer's clock to be fast.
    expect(credentialCard(summary, { now: now - 60 })).not.toContain('valid yet')
    expect(credentialCard(summary, { now: now - 61 })).toContain('(not valid yet)')
  })

  it('accepts a credential without any of it', () => {
    const card = credentialCard(summarizeCredential(createStored({ vc: { type: 7 } })), { now })
    expect(card).toContain('0123456789abcdef')
    expect(summarizeCredential({ ...createStored({}), credential: 'no JWT' }).types).toEqual([])
  })
})
