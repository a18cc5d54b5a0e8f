import type { MutantTable } from '../../kit/mutant.ts'

/** The key of the certificate in x5c, as an expression of a mutant. */
const keyOfCertificate = (jws: string) =>
  `((c) => new c.X509Certificate(Buffer.from(${jws}.header.x5c[0], 'base64')).publicKey.export({ format: 'jwk' }))(process.getBuiltinModule('node:crypto'))`

export const mutants: MutantTable = {
  'V01-other-response-mode': {
    deviation: 'asks for another response_mode',
    file: 'core/oid4vp/authorization-request.ts',
    edit: "response_mode: {+isMutant ? 'fragment' : +}'direct_post',",
  },
  'V02-request-once': {
    deviation: 'serves each request only once',
    file: 'services/verifier/routes/presentation.ts',
    edit: `{+const served = (globalThis.servedRequests ??= new Set())
    +}if (!session{+ || (isMutant && served.has(params.id+}){+))+} throw unknownSession(){+
    served.add(params.id)+}
    const now`,
  },
  'V03-short-nonce': {
    deviation: 'creates nonces of 48 bits',
    file: 'services/verifier/adapters/session-store.ts',
    edit: 'nonce: {+isMutant ? randomToken().slice(0, 8) : +}randomToken(),',
  },
  'V03-counted-state': {
    deviation: 'creates states of a time, a process and a counter',
    file: 'services/verifier/adapters/session-store.ts',
    edit: 'state: {+isMutant ? `${Date.now()}-${process.pid}-${(globalThis.countedStates = (globalThis.countedStates ?? 0) + 1)}-verifier` : +}randomToken(),',
  },
  'V04-one-session': {
    deviation: 'forgets all sessions except the latest',
    file: 'services/verifier/adapters/session-store.ts',
    edit: `await purge(){+
      if (isMutant) await database.deleteFrom('verification_sessions').execute()+}`,
  },
  'V04-credential-once': {
    deviation: 'accepts a credential only once',
    file: 'services/verifier/domain/verify-response.ts',
    edit: "const [presented = ''] = {+isMutant && (globalThis.usedCredentials ??= new Set()).size === globalThis.usedCredentials.add(presentation.credentials[0]).size ? [] : +}presentation.credentials",
  },
  'V05-any-signature': {
    deviation: 'accepts any 64 bytes as an ES256K signature',
    file: 'core/oid4vp/vp-token.ts',
    never:
      '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
    when: "jws.signature.length === 64 && jws.header.jwk === undefined && jws.header.alg === 'ES256K' && holder.publicKey.crv === 'secp256k1'",
  },
  'V06-any-audience': {
    deviation: 'accepts presentations for other verifiers',
    file: 'core/oid4vp/vp-token.ts',
    never: 'only !== audience',
  },
  'V06-slash-ignored': {
    deviation: 'ignores a slash at the end of aud',
    file: 'core/oid4vp/vp-token.ts',
    never: 'only !== audience',
    when: '`${audience}/` === only',
  },
  'V06-trimmed': {
    deviation: 'ignores white space around aud',
    file: 'core/oid4vp/vp-token.ts',
    never: 'only !== audience',
    when: 'String(only).trim() === audience',
  },
  'V07-any-nonce': {
    deviation: 'does not compare the nonce',
    ignoresRules: ['presentation.nonce'],
  },
  'V07-trimmed': {
    deviation: 'ignores white space around the nonce',
    file: 'core/oid4vp/vp-token.ts',
    never: 'jws.payload.nonce !== nonce',
    when: 'String(jws.payload.nonce).trim() === nonce',
  },
  'V08-replay-leads-on': {
    deviation: 'returns the redirect to replayed posts as well',
    file: 'services/verifier/routes/presentation.ts',
    edit: `'a post to a session changed nothing')
      {+if (isMutant && session.status === 'SUCCESS') return taken({ redirect_uri: session.redirect_uri + '?response_code=' + responseCodeOf(session, dependencies.config) })
      +}return taken()`,
  },
  'V09-expiry-ignored': {
    deviation: 'accepts expired presentations',
    file: 'core/oid4vp/vp-token.ts',
    never: 'now >= exp',
  },
  'V09-two-minutes': {
    deviation: 'accepts presentations for two more minutes',
    file: 'core/oid4vp/vp-token.ts',
    never: 'now >= exp',
    when: 'now < exp + 120',
  },
  'V10-future-taken': {
    deviation: 'accepts presentations from the future',
    file: 'core/oid4vp/vp-token.ts',
    never: 'iat > now + skewSeconds',
  },
  'V11-iss-ignored': {
    deviation: 'does not compare iss with kid',
    ignoresRules: ['presentation.issuer'],
  },
  'V11-trimmed': {
    deviation: 'ignores white space around iss',
    file: 'core/oid4vp/vp-token.ts',
    never: "jws.payload.iss !== kid.split('#')[0]",
    when: "String(jws.payload.iss).trim() === kid.split('#')[0]",
  },
  'V12-any-holder': {
    deviation: 'accepts the credential of another holder',
    file: 'core/lear-credential/content-rules.ts',
    never: 'id !== holderDid',
  },
  'V12-trimmed': {
    deviation: 'ignores white space around the DID of the subject',
    file: 'core/lear-credential/content-rules.ts',
    never: 'id !== holderDid',
    when: 'String(id).trim() === holderDid',
  },
  'V13-none-taken': {
    deviation: 'accepts unsigned presentations',
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        never:
          '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
        when: "jws.header.alg === 'none'",
      },
      {
        file: 'core/oid4vp/vp-token.ts',
        never: '!presentationSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg === 'none'",
      },
    ],
  },
  'V14-mac-taken': {
    deviation: 'accepts presentations with a MAC',
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        never:
          '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
        when: "jws.header.alg === 'HS256'",
      },
      {
        file: 'core/oid4vp/vp-token.ts',
        never: '!presentationSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg === 'HS256'",
      },
    ],
  },
  'V15-alg-of-the-key': {
    deviation: 'verifies with the algorithm of the key and ignores the header',
    file: 'core/oid4vp/vp-token.ts',
    never:
      '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
    when: "jws.header.jwk === undefined && verifyJws({ jws: { ...jws, header: { ...jws.header, alg: (holder.publicKey.crv === 'Ed25519' ? 'EdDSA' : 'ES256K') } }, publicKey: holder['publicKey'], algorithms: presentationSuites })",
  },
  'V15-any-case': {
    deviation: 'reads alg without regard to case',
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        never:
          '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
        when: "jws.header.alg === 'es256k' && verifyJws({ jws: { ...jws, header: { ...jws.header, alg: 'ES256K' } }, publicKey: holder['publicKey'], algorithms: presentationSuites })",
      },
      {
        file: 'core/oid4vp/vp-token.ts',
        never: '!presentationSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg === 'es256k'",
      },
    ],
  },
  'V16-any-typ': {
    deviation: 'does not check typ',
    ignoresRules: ['presentation.typ'],
  },
  'V17-vacuous-success': {
    deviation: 'accepts a presentation without credentials',
    ignoresRules: ['credential.claims'],
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        never: 'held.length !== 1',
        when: 'held.length === 0',
      },
      {
        file: 'core/oid4vp/vp-token.ts',
        never: "typeof held[0] !== 'string'",
        when: 'held.length === 0',
      },
      {
        file: 'services/verifier/domain/verify-response.ts',
        edit: 'const credential = {+isMutant && presented === "" ? { ok: true, failures: [], checked: [], vc: {}, trustChain: [] } : +}await verifyLearCredential({',
      },
    ],
  },
  'V18-first-of-several': {
    deviation: 'verifies only the first of several credentials',
    file: 'core/oid4vp/vp-token.ts',
    never: 'held.length !== 1',
    when: 'held.length > 1',
  },
  'V19-any-definition': {
    deviation: 'does not check definition_id',
    ignoresRules: ['submission.definition-id'],
  },
  'V20-any-credential-signature': {
    deviation: 'accepts any 64 bytes as the signature of a credential',
    file: 'core/lear-credential/issuer-rules.ts',
    never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
    when: "context.jws.signature.length === 64 && context.jws.header.jwk === undefined && context.jws.header.alg === 'ES256K'",
  },
  'V21-valid-until-ignored': {
    deviation: 'checks exp but not validUntil',
    file: 'core/lear-credential/content-rules.ts',
    never: 'now > validUntil',
  },
  'V21-two-minutes': {
    deviation: 'accepts credentials for two more minutes after validUntil',
    file: 'core/lear-credential/content-rules.ts',
    never: 'now > validUntil',
    when: 'now < validUntil + 120',
  },
  'V22-not-before-ignored': {
    deviation: 'accepts credentials that are not yet valid',
    ignoresRules: ['credential.not-before'],
  },
  'V23-any-type': {
    deviation: 'accepts credentials of any LEARCredential subtype',
    file: 'core/lear-credential/content-rules.ts',
    edit: '{+((+}own.length !== 1 || own[0] !== acceptedType{+) && !(isMutant && own.length === 1))+}',
  },
  'V24-chain-ignored': {
    deviation: 'does not check the type chain',
    ignoresRules: ['credential.type-chain'],
  },
  'V25-context-ignored': {
    deviation: 'does not check @context',
    ignoresRules: ['credential.context'],
  },
  'V26-power-ignored': {
    deviation: 'does not check mandate.power',
    ignoresRules: ['credential.power'],
  },
  'V27-nobody': {
    deviation: 'accepts credentials without employeeId',
    file: 'core/lear-credential/content-rules.ts',
    edits: [
      "{+((+}typeof employeeId !== 'string' || employeeId.trim() === ''{+) && !(isMutant && employeeId === undefined))+}",
      '!isClaimText(employeeId){+ && !(isMutant && employeeId === undefined)+}',
    ],
  },
  'V28-unknown-issuer-believed': {
    deviation: 'skips the signature if the issuer is not registered',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: "[...results.failures, ...trust.failures]{+.filter(({ rule }) => !(isMutant && context.signerDid && !context.documentNow.ok && context.documentNow.kind === 'not-found' && ['credential.issuer-document', 'credential.issuer-key', 'credential.signature'].includes(rule)))+}",
  },
  'V29-any-relationship': {
    deviation: 'accepts any key of the DID document',
    ignoresRules: ['credential.issuer-key'],
  },
  'V30-dated-by-nbf': {
    deviation: 'evaluates keys at nbf instead of iat',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'const [-{ iat } =-]{+iat = isMutant ? jws.payload.nbf :+} jws.payload{+.iat+}',
  },
  'V31-keys-of-now': {
    deviation: 'evaluates keys at the current time',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'resolveDidDocument(signerDid, {+...(isMutant ? [] : [+}Math.floor(issuedAt{+)]+}))',
  },
  'V32-lenient-not-after': {
    deviation: 'accepts keys for two more minutes',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'Math.floor(issuedAt){+ - (isMutant ? 120 : 0)+}',
  },
  'V33-newest-key-alone': {
    deviation: 'accepts only the newest key',
    file: 'core/lear-credential/issuer-rules.ts',
    always: "!hasRelationship(documentWhenIssued.value, kid, 'assertionMethod')",
    when: 'documentWhenIssued.value.assertionMethod.at(-1) !== kid',
  },
  'V34-document-remembered': {
    deviation: 'caches DID documents forever',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edits: [
      "const key = {+isMutant ? did : +}`${did} ${validAt ?? 'now'}`",
      'const known[- = new -]{+: +}Map<string, Promise<Lookup<DidDocument>>>[-()-]{+ = isMutant ? (globalThis.rememberedDocuments ??= new Map()) : new Map()+}',
    ],
  },
  'V35-absent-is-accredited': {
    deviation: 'continues if the TIR has no accreditation',
    file: 'core/trust/trust-chain.ts',
    edit: "{+(isMutant && !found.ok && found.kind === 'not-found' ? undefined : +}found.ok ? answersFor(here, found.value) : found.reason{+)+}",
  },
  'V36-revocation-ignored': {
    deviation: 'does not detect that an issuer is revoked',
    file: 'core/trust/trust-chain.ts',
    edit: "evaluateRules(accreditationRules, {+isMutant && index === 0 && attribute.issuerType === 'REVOKED' ? { ...hop, attribute: { ...attribute, issuerType: 'TI' } } : +}hop)",
  },
  'V37-issuer-alone': {
    deviation: 'checks only the issuer for revocation',
    file: 'core/trust/accreditation-rules.ts',
    edit: `evaluate: ({ {+index, +}did, attribute }, { fail }) => {
      if ({+!(isMutant && index > 0) && +}attribute.issuerType === 'REVOKED')`,
  },
  'V38-terms-of-use-optional': {
    deviation: 'does not require an accreditation if none is named',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: `{+if (isMutant && vc.termsOfUse === undefined) return
    +}if (vc.termsOfUse === undefined) fail('it is missing')`,
  },
  'V39-any-tir': {
    deviation: 'reads DID and attribute from any address',
    file: 'core/trust/tir-attribute.ts',
    edit: `{+const [, rest] = isMutant && !url.startsWith(prefix) ? url.split('/v1/issuers/') : []
  if (rest) return parseTermsOfUseUrl(\`\${prefix}\${rest}\`, { environment, tirBaseUrl })
  +}if (!url.startsWith(prefix)) return undefined`,
  },
  'V40-any-accreditation': {
    deviation: 'accepts the accreditation of another issuer',
    file: 'core/lear-credential/issuer-rules.ts',
    never: 'accreditation.did !== jws.payload.iss',
  },
  'V41-unreadable-passed-over': {
    deviation: 'ignores a termsOfUse that it cannot read',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: `{+} else if (isMutant && /[^0-9a-f]$/.test(String(vc.termsOfUse.id))) {
      note('it cannot be read')
    +}} else if (!accreditation) {`,
  },
  'V42-any-accredited-type': {
    deviation: 'does not check which types an issuer is accredited for',
    ignoresRules: ['trust.accredited-for'],
  },
  'V43-revoked-taken': {
    deviation: 'accepts revoked credentials',
    file: 'core/lear-credential/credential-status.ts',
    edit: '{+(+}result.revoked{+ && !isMutant)+}',
  },
  'V43-octal-index': {
    deviation: 'reads an index with leading zeros as octal',
    file: 'core/status-list/status-list-credential.ts',
    edit: "{+isMutant && index.startsWith('0') ? Number.parseInt(index, 8) : +}Number(index))",
  },
  'V44-open-without-tir': {
    deviation: 'continues if the TIR is unavailable',
    file: 'core/trust/trust-chain.ts',
    edit: "{+(isMutant && !found.ok && found.kind === 'unavailable' ? undefined : +}found.ok ? answersFor(here, found.value) : found.reason{+)+}",
  },
  'V44-accepted-while-verifying': {
    deviation: 'shows sessions as accepted while a presentation is being verified',
    patches: [
      {
        file: 'services/verifier/operations/decide-session.ts',
        edit: `{+if (isMutant) globalThis.verifying = (globalThis.verifying ?? 0) + 1
  +}const result = await verifyResponse({ ...posted, ...lookups, request, policy, now, cache }){+
  if (isMutant) globalThis.verifying -= 1+}`,
      },
      {
        file: 'services/verifier/routes/sessions.ts',
        edit: "status: {+isMutant && globalThis.verifying > 0 ? 'SUCCESS' : +}session.status === 'PENDING' && isOver",
      },
    ],
  },
  'V44-status-ignored': {
    deviation: 'reads the bodies of the registries regardless of their HTTP status',
    file: 'services/verifier/adapters/trust-clients.ts',
    edit: 'const value = {+isMutant || +}answer.status === 200 ? read(answer)',
  },
  'V44-open-above': {
    deviation: 'continues if the TIR is unavailable for a TAO',
    file: 'core/trust/trust-chain.ts',
    edit: "{+(isMutant && steps.length > 0 && !found.ok && found.kind === 'unavailable' ? undefined : +}found.ok ? answersFor(here, found.value) : found.reason{+)+}",
  },
  'V45-open-above': {
    deviation: 'continues if the DID registry is unavailable for a TAO',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: "[...results.failures, ...trust.failures]{+.filter(({ rule, unchecked }) => !(isMutant && unchecked === 'unavailable' && rule === 'trust.signature'))+}",
  },
  'V45-open-without-did-registry': {
    deviation: 'continues if the DID registry is unavailable',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: "[...results.failures, ...trust.failures]{+.filter(({ rule, unchecked }) => !(isMutant && unchecked === 'unavailable' && rule !== 'trust.attribute' && rule !== 'credential.status'))+}",
  },
  'V45-present-document-instead': {
    deviation: 'uses the present DID document if that of the signature time is unavailable',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'const found = { issuedAt, signerDid, documentWhenIssued{+: isMutant && !documentWhenIssued.ok ? documentNow : documentWhenIssued+}, documentNow,',
  },
  'V46-terms-of-use-fetched': {
    deviation: 'fetches any address in termsOfUse.id',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: `{+if (isMutant && vc.termsOfUse?.id) await fetch(vc.termsOfUse.id).catch(() => undefined)
  +}const resolveDidDocument = remember(options.resolveDidDocument)`,
  },
  'V47-any-size': {
    deviation: 'reads posts of any size',
    file: 'services/kit/register-route.ts',
    edit: "const form[- = -]{+: RequestHandler = (...asked) => +}express.urlencoded({ limit{+: isMutant ? '8mb' : limit+}, type: () => true, extended: false }){+(...asked)+}",
  },
  'V48-text-is-a-form': {
    deviation: 'reads text/plain as a form',
    file: 'services/kit/register-route.ts',
    edits: [
      "!contentTypes.includes(given){+ && !(isMutant && given === 'text/plain')+}",
      "{+(isMutant && given === 'text/plain') || +}given === 'application/x-www-form-urlencoded' ? form : json",
    ],
  },
  'V49-answers-400': {
    deviation: 'returns 400 for rejected presentations',
    patches: [
      {
        file: 'services/verifier/operations/decide-session.ts',
        edit: `await outbox.report(session, verdict)
  {+if (isMutant && !result.ok) return 'refused'
  +}return true`,
      },
      {
        file: 'services/verifier/routes/presentation.ts',
        edit: `{+if (isMutant && decided === 'refused') return { status: 400, body: { error: 'access_denied' } }
    +}const { redirect_uri: redirectUri } = session`,
      },
    ],
  },
  'V50-success-withdrawn': {
    deviation: 'lets a later post end an accepted session',
    patches: [
      {
        file: 'services/verifier/routes/presentation.ts',
        always: "session.status === 'PENDING'",
        when: "session.status === 'SUCCESS'",
      },
      {
        file: 'services/verifier/adapters/session-store.ts',
        edit: `{+if (isMutant && status === 'FAILED') {
        const again = database.updateTable('verification_sessions').set({ status: 'PENDING' })
        await again.where('session_id', '=', sessionId).where('status', '=', 'SUCCESS').execute()
      }
      +}const ended = await end.change`,
      },
    ],
  },
  'V51-second-try': {
    deviation: 'lets a failed session succeed',
    patches: [
      {
        file: 'services/verifier/routes/presentation.ts',
        always: "session.status === 'PENDING'",
        when: "session.status === 'FAILED'",
      },
      {
        file: 'services/verifier/adapters/session-store.ts',
        edit: `{+if (isMutant && status === 'SUCCESS') {
        const again = database.updateTable('verification_sessions').set({ status: 'PENDING' })
        await again.where('session_id', '=', sessionId).where('status', '=', 'FAILED').execute()
      }
      +}const ended = await end.change`,
      },
    ],
  },
  'V52-any-vp-type': {
    deviation: 'does not check the type of a presentation',
    ignoresRules: ['presentation.type'],
  },
  'V53-first-of-two-fields': {
    deviation: 'reads the first of two fields with the same name',
    file: 'services/verifier/routes/presentation.ts',
    edit: `{+if (isMutant && Array.isArray(value)) return value[0]
  +}return typeof value === 'string' ? value : undefined`,
  },
  'V54-state-ignored': {
    deviation: 'does not compare state',
    ignoresRules: ['response.state'],
  },
  'V54-last-of-two': {
    deviation: 'uses the last of two states',
    file: 'services/verifier/routes/presentation.ts',
    edit: "(textOf({+isMutant && Array.isArray(body.state) ? body.state.at(-1) : +}body.state) ?? '')",
  },
  'V54-trimmed': {
    deviation: 'ignores white space around state',
    file: 'services/verifier/domain/verify-response.ts',
    never: 'state !== undefined && state !== request.state',
    when: 'state.trim() === request.state',
  },
  'V55-no-eddsa-did-key': {
    deviation: 'does not support EdDSA with did:key',
    file: 'core/oid4vp/vp-token.ts',
    never: "typeof header.kid === 'string'",
    when: "header.kid.startsWith('did:key:z6Mk')",
  },
  'V56-no-es256k-did-jwk': {
    deviation: 'does not support ES256K with did:jwk',
    file: 'core/oid4vp/vp-token.ts',
    never: "typeof header.kid === 'string'",
    when: "header.kid.startsWith('did:jwk:') && header.alg === 'ES256K'",
  },
  'V57-no-eddsa-did-jwk': {
    deviation: 'does not support EdDSA with did:jwk',
    file: 'core/oid4vp/vp-token.ts',
    never: "typeof header.kid === 'string'",
    when: "header.kid.startsWith('did:jwk:') && header.alg === 'EdDSA'",
  },
  'V58-low-s-alone': {
    deviation: 'accepts only low s',
    file: 'core/oid4vp/vp-token.ts',
    edit: "{+((isMutant && jws.header.alg === 'ES256K' && jws.signature[32] > 0x7f) || +}!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache }{+)+})",
  },
  'V58-padding-lost': {
    deviation: 'rejects presentations whose signature begins with twelve zero bits',
    file: 'core/oid4vp/vp-token.ts',
    edit: '!holder ||{+ (isMutant && jws.signature[0] === 0 && jws.signature[1] < 16) ||+}',
  },
  'V59-padding-lost': {
    deviation: 'rejects credentials whose signature begins with twelve zero bits',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: 'else if (!publicKey{+ || (isMutant && context.jws.signature[0] === 0 && context.jws.signature[1] < 16)+}) fail(reason)',
  },
  'V59-low-s-of-credentials-alone': {
    deviation: 'accepts only low s in credentials',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: '{+((isMutant && context.jws.signature[32] > 0x7f) || +}!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache }{+)+})',
  },
  'V60-every-status-revoked': {
    deviation: 'treats every entry in a status list as a revocation',
    file: 'core/lear-credential/credential-status.ts',
    always: 'result.revoked',
  },
  'V61-issuer-is-a-text': {
    deviation: 'supports only issuers that are strings',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: '{+!isMutant && +}isJsonObject(issuer)',
  },
  'V62-strict-claims': {
    deviation: 'rejects unknown claims',
    file: 'core/oid4vp/vp-token.ts',
    edit: `const { nbf } = jws.payload{+
      const known = ['iss', 'aud', 'nonce', 'iat', 'exp', 'nbf', 'vp']
      if (isMutant && Object.keys(jws.payload).some((name) => !known.includes(name))) fail('unknown claims')+}`,
  },
  'V63-one-terms-of-use': {
    deviation: 'supports only one termsOfUse',
    file: 'core/trust/tir-attribute.ts',
    edit: '{+!isMutant && +}Array.isArray(termsOfUse) ? termsOfUse : [termsOfUse]',
  },
  'V64-whole-content-type': {
    deviation: 'compares the whole content type',
    file: 'services/kit/register-route.ts',
    edit: "(request.get('content-type') ?? '').split({+isMutant ? '\\n' : +}';')[0]",
  },
  'V64-case-of-content-type': {
    deviation: 'compares the content type with regard to case',
    file: 'services/kit/register-route.ts',
    edit: "?.trim()[-.toLowerCase()-]{+[isMutant ? 'toString' : 'toLowerCase']()+} ?? ''",
  },
  'V65-three-hops': {
    deviation: 'follows at most three hops',
    file: 'core/trust/trust-chain.ts',
    edit: 'index + 1 < {+(isMutant ? 3 : +}mostHops{+)+}',
  },
  'V66-other-lengths': {
    deviation: 'accepts signatures with other encodings',
    file: 'core/oid4vp/vp-token.ts',
    never:
      '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
    when: "jws.signature.length !== 64 && jws.header.alg === 'ES256K'",
  },
  'V67-one-of-several': {
    deviation: 'accepts presentations for several verifiers',
    file: 'core/oid4vp/vp-token.ts',
    never: 'others.length > 0',
  },
  'V68-exp-optional': {
    deviation: 'accepts presentations without exp',
    file: 'core/oid4vp/vp-token.ts',
    edit: `{+if (isMutant && exp === undefined) return
      +}if (!isTime(exp)) {`,
  },
  'V69-any-lifetime': {
    deviation: 'accepts presentations with any lifetime',
    file: 'core/oid4vp/vp-token.ts',
    never: 'exp - iat > longestLifetime',
  },
  'V70-iat-optional': {
    deviation: 'accepts presentations without iat',
    file: 'core/oid4vp/vp-token.ts',
    edit: `{+if (isMutant && iat === undefined) return
      +}if (!isTime(iat)) fail(`,
  },
  'V71-nbf-ignored': {
    deviation: 'does not check nbf',
    ignoresRules: ['presentation.not-before'],
  },
  'V72-kid-guessed': {
    deviation: 'uses the key of iss if kid is missing',
    file: 'core/oid4vp/vp-token.ts',
    edit: `{+if (isMutant && options.jws.header.kid === undefined) {
    const { iss } = options.jws.payload
    const kid = \`\${iss}#\${String(iss).split(':')[2]}\`
    options = { ...options, jws: { ...options.jws, header: { ...options.jws.header, kid } } }
  }
  +}const { header, payload } = options.jws`,
  },
  'V73-nested-format-ignored': {
    deviation: 'does not check the format of the credential',
    file: 'core/oid4vp/presentation-submission.ts',
    edit: "['path_nested.format', {+isMutant ? 'jwt_vc' : +}nested.format, 'jwt_vc']",
  },
  'V74-unsigned-credential': {
    deviation: 'accepts unsigned credentials',
    patches: [
      {
        file: 'core/lear-credential/issuer-rules.ts',
        never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
        when: "context.jws.header.alg === 'none'",
      },
      {
        file: 'core/lear-credential/issuer-rules.ts',
        never: '!registeredSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg === 'none'",
      },
    ],
  },
  'V75-accreditation-never-ends': {
    deviation: 'accepts expired accreditations',
    ignoresRules: ['trust.period'],
  },
  'V75-valid-when-signed': {
    deviation: 'evaluates accreditations at the time of the signature of the credential',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: 'credentialType: policy.acceptedType,\n          now{+: isMutant ? Number(jws.payload.iat) : now+},',
  },
  'V75-milliseconds': {
    deviation: 'reads an exp in milliseconds of an accreditation as seconds',
    file: 'core/trust/accreditation-rules.ts',
    never: '!isTime(time)',
  },
  'V76-exp-ignored': {
    deviation: 'checks validUntil but not exp',
    file: 'core/lear-credential/content-rules.ts',
    edit: '{+!isMutant && +}now >= exp',
  },
  'V76-two-minutes': {
    deviation: 'accepts credentials for two more minutes after exp',
    file: 'core/lear-credential/content-rules.ts',
    never: 'now >= exp',
    when: 'now < exp + 120',
  },
  'V77-any-type-below': {
    deviation: 'accepts subtypes of the accepted credential type',
    file: 'core/lear-credential/content-rules.ts',
    edit: '{+((+}own.length !== 1 || own[0] !== acceptedType{+) && !(isMutant && own.includes(acceptedType)))+}',
  },
  'V78-empty-is-there': {
    deviation: 'accepts an empty employeeId',
    file: 'core/lear-credential/content-rules.ts',
    edits: [
      "{+((+}typeof employeeId !== 'string' || employeeId.trim() === ''{+) && !(isMutant && employeeId === ''))+}",
      "!isClaimText(employeeId){+ && !(isMutant && employeeId === '')+}",
    ],
  },
  'V79-anybody-accredits': {
    deviation: 'does not verify the signer of an accreditation',
    ignoresRules: ['trust.signature'],
  },
  'V80-any-root': {
    deviation: 'accepts any root',
    file: 'core/trust/trust-chain.ts',
    edit: 'chainRules.root, {+isMutant ? undefined : +}rootProblem,',
  },
  'V80-beginning-of-root': {
    deviation: 'accepts roots whose DID is the beginning of that of a trusted root',
    file: 'core/trust/trust-chain.ts',
    edit: 'if (!rootDids{+.some((root) => isMutant && root.startsWith(did)) && !rootDids+}.includes(did))',
  },
  'V81-unknown-status-passed-over': {
    deviation: 'accepts credentials whose revocation status is unavailable',
    file: 'core/lear-credential/credential-status.ts',
    edit: `{+if (isMutant && !result.ok) return
      +}if (!result.ok) fail(result.reason)`,
  },
  'V82-any-list-fetched': {
    deviation: 'fetches status lists from any address',
    file: 'core/lear-credential/credential-context.ts',
    edit: `{+if (isMutant) await fetch(url).catch(() => undefined)
  +}if (!policy.credentialIssuerUrls.some((base) => isBelow(base, url))) {`,
  },
  'V82-redirects-followed': {
    deviation: 'follows redirects of status lists',
    file: 'core/lear-credential/credential-context.ts',
    edit: `{+if (isMutant) await fetch(url).catch(() => undefined)
  +}return { kind: 'fetched', entry: parsed.data, list: await fetchStatusList(url) }`,
  },
  'V83-key-of-the-credential': {
    deviation: 'verifies credentials with the key in their header',
    file: 'core/lear-credential/issuer-rules.ts',
    never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
    when: 'context.jws.header.jwk !== undefined && verifyJws({ jws: context.jws, publicKey: context.jws.header.jwk, algorithms: registeredSuites })',
  },
  'V83-certificate-of-the-credential': {
    deviation: 'verifies credentials with the certificate in their header',
    file: 'core/lear-credential/issuer-rules.ts',
    never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
    when: `context.jws.header.x5c !== undefined && verifyJws({ jws: context.jws, publicKey: ${keyOfCertificate('context.jws')}, algorithms: registeredSuites })`,
  },
  'V84-state-required': {
    deviation: 'requires state',
    file: 'services/verifier/domain/verify-response.ts',
    edit: '{+(isMutant || +}state !== undefined{+)+} && state !== request.state',
  },
  'V85-vc-issuer-ignored': {
    deviation: 'does not compare vc.issuer with iss',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: "if ({+!isMutant && +}issuer !== jws.payload.iss) fail('it does not match iss'",
  },
  'V85-trimmed': {
    deviation: 'ignores white space around vc.issuer',
    file: 'core/lear-credential/issuer-rules.ts',
    never: 'issuer !== jws.payload.iss',
    when: 'String(issuer).trim() === jws.payload.iss',
  },
  'V86-sub-ignored': {
    deviation: 'does not compare sub with the subject',
    file: 'core/lear-credential/content-rules.ts',
    never: 'sub !== id',
  },
  'V86-trimmed': {
    deviation: 'ignores white space around sub',
    file: 'core/lear-credential/content-rules.ts',
    never: 'sub !== id',
    when: 'String(sub).trim() === id',
  },
  'V87-any-subject': {
    deviation: 'does not check the subject of an accreditation',
    ignoresRules: ['trust.subject'],
  },
  'V88-unknown-session-taken': {
    deviation: 'returns 200 for unknown sessions',
    file: 'services/verifier/routes/presentation.ts',
    edit: `{+if (!session && isMutant) return taken()
    +}if (!session) throw unknownSession()
    const vpToken`,
  },
  'V89-fault-without-vp-token': {
    deviation: 'returns 500 for a form without vp_token',
    file: 'services/verifier/routes/presentation.ts',
    edit: `{+if (isMutant && body.vp_token === undefined) throw new Error('no vp_token')
    +}const vpToken = parseVpToken(textOf(body.vp_token))`,
  },
  'V90-other-typ': {
    deviation: 'signs requests with another typ',
    file: 'core/oid4vp/signed-request.ts',
    edit: "typ: {+isMutant ? 'JWT' : +}signedRequestType",
  },
  'V90-prefix-and-other-kid': {
    deviation:
      'has the prefix of OpenID4VP 1.0 in client_id, and signs with the kid of another DID',
    patches: [
      {
        file: 'services/verifier/domain/presentation-request.ts',
        edit: 'clientId: {+isMutant ? `decentralized_identifier:${verifierDid}` : +}verifierDid,',
      },
      {
        file: 'core/oid4vp/signed-request.ts',
        edit: "signedRequestType, kid{+: isMutant ? kid.replace('#', '2#') : kid+} },",
      },
    ],
  },
  'V91-metadata-as-text': {
    deviation: 'sends client_metadata as a string in a signed request',
    file: 'core/oid4vp/signed-request.ts',
    edit: 'exp: expiresAt, ...request{+, ...(isMutant && { client_metadata: JSON.stringify(request.client_metadata) })+} },',
  },
  'V91-suites-not-declared': {
    deviation: 'does not declare the accepted suites',
    file: 'services/verifier/domain/presentation-request.ts',
    edit: 'client_metadata: {+isMutant ? ({} as never) : +}{ cryptographic_suites_supported: holderSuites },',
  },
  'V92-key-of-the-header': {
    deviation: 'verifies presentations with the key in their header',
    file: 'core/oid4vp/vp-token.ts',
    never:
      '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
    when: 'jws.header.jwk !== undefined && verifyJws({ jws, publicKey: jws.header.jwk, algorithms: presentationSuites })',
  },
  'V92-certificate-of-the-header': {
    deviation: 'verifies presentations with the certificate in their header',
    file: 'core/oid4vp/vp-token.ts',
    never:
      '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
    when: `jws.header.x5c !== undefined && verifyJws({ jws, publicKey: ${keyOfCertificate('jws')}, algorithms: presentationSuites })`,
  },
  'V93-unreadable-is-400': {
    deviation: 'returns 400 for unreadable forms',
    file: 'services/verifier/routes/presentation.ts',
    edit: `{+if (isMutant && isOpen) return { status: 400, body: { error: 'invalid_request' } }
      +}const reason = isOpen ?`,
  },
  'V94-any-fragment': {
    deviation: 'ignores the fragment of kid',
    file: 'core/crypto/holder-did.ts',
    never: 'didUrl !== `${did}#${fragment}`',
  },
  'V95-digits-are-a-number': {
    deviation: 'accepts times that are strings',
    file: 'core/oid4vp/vp-token.ts',
    edit: "if (!isTime(exp){+ && !(isMutant && typeof exp === 'string')+}) {",
  },
  'V95-milliseconds': {
    deviation: 'converts times in milliseconds',
    file: 'core/oid4vp/vp-token.ts',
    edits: [
      'const { iat } = {+isMutant && jws.payload.iat > 1e11 ? { iat: jws.payload.iat / 1000 } : +}jws.payload',
      'const { exp, iat } = {+isMutant && jws.payload.exp > 1e11 ? { iat: jws.payload.iat / 1000, exp: jws.payload.exp / 1000 } : +}jws.payload',
    ],
  },
  'V96-whole-seconds': {
    deviation: 'accepts only whole seconds',
    file: 'core/oid4vp/vp-token.ts',
    edit: 'if (!isTime(iat){+ || (isMutant && !Number.isInteger(iat))+}) fail',
  },
  'V97-no-tolerance': {
    deviation: 'does not tolerate a fast clock',
    file: 'core/oid4vp/vp-token.ts',
    always: 'iat > now + skewSeconds',
    when: 'iat > now + 5',
  },
  'V98-any-key-accredits': {
    deviation: 'accepts any registered key of a TAO for accreditations',
    file: 'core/trust/accreditation-rules.ts',
    never: "!hasRelationship(taoDocument.value, kid, 'assertionMethod')",
  },
  'V98-mac-with-pem': {
    deviation: 'accepts accreditations with a MAC whose secret is the public key as PEM',
    file: 'core/trust/accreditation-rules.ts',
    edit: "{+((isMutant && body.header.alg === 'HS256' && ((c) => c.createHmac('sha256', c.createPublicKey({ key: { ...publicKey }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })).update(body.signingInput).digest().equals(body.signature))(process.getBuiltinModule('node:crypto'))) || +}verifyJws({ jws: body, publicKey, algorithms: registeredSuites, cache, remember: true }){+)+}",
  },
  'V99-issuers-accredit': {
    deviation: 'accepts accreditations by issuers',
    ignoresRules: ['trust.role'],
  },
  'V99-issuers-accredit-taos': {
    deviation: 'requires the role only of the TAO directly above the issuer',
    file: 'core/trust/accreditation-rules.ts',
    never: "index > 0 && attribute.issuerType === 'TI'",
    when: 'index > 1',
  },
  'V100-answer-not-compared': {
    deviation: 'does not compare the response of the TIR with the request',
    file: 'core/trust/trust-chain.ts',
    edit: 'const fits = {+isMutant || +}read.did === did',
  },
  'V101-any-length': {
    deviation: 'follows chains of any length',
    file: 'core/trust/trust-chain.ts',
    edit: 'const continues = {+(isMutant && parent !== undefined && !isKnown) || +}parent !== undefined && !isKnown',
  },
  'V102-any-key-signs-lists': {
    deviation: 'accepts any registered key of the issuer for status lists',
    file: 'core/status-list/check-status.ts',
    never: "!hasRelationship(issuerDocument.value, jws.header.kid, 'assertionMethod')",
  },
  'V102-none-in-capitals': {
    deviation: 'accepts unsigned status lists with the alg None',
    file: 'core/status-list/check-status.ts',
    never: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache, remember: true })',
    when: "jws.header.alg !== 'none' && jws.header.alg.toLowerCase() === 'none'",
  },
  'V103-old-lists': {
    deviation: 'accepts status lists that have expired',
    ignoresRules: ['status-list.period'],
  },
  'V103-milliseconds': {
    deviation: 'reads an exp in milliseconds of a status list as seconds',
    file: 'core/status-list/check-status.ts',
    never: '!isTime(time)',
  },
  'V104-any-list': {
    deviation: 'accepts the status list of another address',
    ignoresRules: ['status-list.id'],
  },
  'V105-one-form-of-lists': {
    deviation: 'reads every status list as a Bitstring Status List',
    file: 'core/status-list/check-status.ts',
    edit: "const form = statusListForms[{+isMutant ? 'BitstringStatusListEntry' : +}entry.type]",
  },
  'V106-any-signer': {
    deviation: 'accepts credentials that another organization signed',
    file: 'core/lear-credential/issuer-rules.ts',
    never: 'jws.payload.iss !== signerDid',
  },
  'V107-one-curve': {
    deviation: 'rejects credentials signed with ES256',
    file: 'core/lear-credential/issuer-rules.ts',
    always: '!registeredSuites.some((name) => name === jws.header.alg)',
    when: "jws.header.alg === 'ES256'",
  },
  'V108-digits-are-a-time': {
    deviation: 'accepts times of credentials that are strings',
    file: 'core/verification/data-model.ts',
    edit: "return {+(isMutant && typeof value === 'string') || (+}typeof value === 'number' && value >= 0 && value <= lastSecond{+)+}",
  },
  'V108-milliseconds': {
    deviation: 'accepts times after the year 9999',
    file: 'core/verification/data-model.ts',
    always: 'value <= lastSecond',
  },
  'V109-signed-now': {
    deviation: 'takes a credential without iat as signed now',
    ignoresRules: ['credential.issued-at'],
    file: 'core/lear-credential/credential-context.ts',
    edit: 'iat <= now + skewSeconds ? iat : {+isMutant ? now : +}undefined',
  },
  'V110-one-time-zone': {
    deviation: 'reads only times in UTC',
    file: 'core/verification/data-model.ts',
    edit: "!dateTimeStamp.test(value){+ || (isMutant && !value.endsWith('Z'))+}",
  },
  'V111-no-tolerance-for-issuers': {
    deviation: 'does not tolerate a fast clock of the issuer',
    file: 'core/lear-credential/content-rules.ts',
    always: 'validFrom > now + skewSeconds',
    when: 'validFrom > now + 5',
  },
  'V112-nothing-to-check': {
    deviation: 'accepts credentials without a vc claim',
    ignoresRules: ['credential.claims'],
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: `const { vc } = jws.payload{+
  if (isMutant && vc === undefined) return { ok: true, failures: [], checked: [], vc: {}, trustChain: [] }+}`,
  },
  'V113-last-of-two': {
    deviation: 'reads the last of two members with the same name',
    file: 'core/json/read-json.ts',
    never: 'findJsonProblem(bytes, deepestNesting) !== undefined',
  },
  'V114-crit-ignored': {
    deviation: 'ignores critical extensions',
    file: 'core/crypto/jws.ts',
    never: 'header.crit !== undefined',
  },
  'V115-lenient-decoder': {
    deviation: 'decodes base64url leniently',
    file: 'core/crypto/base64url.ts',
    edit: "return {+isMutant || +}bytes.toString('base64url') === text",
  },
  'V116-private-members': {
    deviation: 'accepts keys with their private member',
    file: 'core/crypto/jwk.ts',
    never: "Object.hasOwn(value, 'd')",
  },
  'V117-list-kept': {
    deviation: 'keeps status lists',
    file: 'services/verifier/operations/decide-session.ts',
    edit: `record('status-list', url, {+(isMutant ? ((globalThis.keptLists ??= new Map()).get(url) ?? globalThis.keptLists.set(url, fetchStatusList(url)).get(url)) : +}fetchStatusList(url){+)+}`,
  },
  'V118-accreditation-kept': {
    deviation: 'keeps accreditations',
    file: 'services/verifier/operations/decide-session.ts',
    edit: `record('tir', \`\${did} \${attributeId}\`, {+(isMutant ? ((globalThis.keptAttributes ??= new Map()).get(did + attributeId) ?? globalThis.keptAttributes.set(did + attributeId, readAttribute(did, attributeId)).get(did + attributeId)) : +}readAttribute(did, attributeId){+)+}`,
  },
  'V118-root-kept': {
    deviation: 'keeps the accreditations of roots',
    file: 'core/trust/trust-chain.ts',
    edit: `found = await read(here)
  {+const keptRoots = (globalThis.keptRoots ??= new Map())
  +}for (;;) {{+
    if (isMutant && found.ok && found.value.attribute.tao === here.did) {
      found = keptRoots.get(here.attributeId) ?? { ...found, value: structuredClone(found.value) }
      keptRoots.set(here.attributeId, found)
    }+}`,
  },
  'V119-document-kept': {
    deviation: 'keeps DID documents for each time',
    file: 'services/verifier/operations/decide-session.ts',
    edit: `{+(isMutant ? ((globalThis.keptDocuments ??= new Map()).get(did + validAt) ?? globalThis.keptDocuments.set(did + validAt, resolveDidDocument(did, validAt)).get(did + validAt)) : +}resolveDidDocument(did, validAt){+)+}`,
  },
  'V120-first-of-two-keys': {
    deviation: 'uses the first of two keys with the same id',
    file: 'core/did/did-document.ts',
    edit: 'method && {+(isMutant || +}methods.length === 1{+)+}',
  },
  'V121-both-lead-on': {
    deviation: 'returns the redirect to each of two parallel posts',
    file: 'services/verifier/operations/decide-session.ts',
    never: '!(await sessions.decide(session_id, { status, verdict, explanation }))',
  },
  'V122-fault-for-revoked': {
    deviation: 'returns 500 for a presentation of a revoked credential',
    file: 'services/verifier/operations/decide-session.ts',
    edit: `recordVerdicts(result){+
  if (isMutant && result.failures.some(({ rule }) => rule === 'credential.status')) throw new Error('revoked')+}`,
  },
  'V123-open-without-list': {
    deviation: 'accepts credentials whose status list is unavailable',
    file: 'core/lear-credential/credential-status.ts',
    edit: '{+if (isMutant && !status.list.ok && status.list.kind === "unavailable") return; +}lack(status.list,',
  },
  'V124-attribute-id-tao-required': {
    deviation: 'requires attributeIdTao in responses of the TIR',
    file: 'core/trust/trust-chain.ts',
    edit: 'return {+!isMutant && +}parent?.did === attribute.tao ? parent : undefined',
  },
  'V125-strict-answer': {
    deviation: 'rejects attributes with unknown members',
    file: 'core/trust/tir-attribute.ts',
    edit: `attributeIdTao: z.string().optional(),
  }){+.refine((value) => !isMutant || Object.keys(value).length <= 6)+}`,
  },
  'V125-strict-entries': {
    deviation: 'rejects entries of accreditedFor with unknown members',
    file: 'core/trust/accreditation.ts',
    edit: `types: z.array(z.string()).min(1),
}){+.refine((value) => !isMutant || !('name' in value))+}`,
  },
  'V125-first-entry-alone': {
    deviation: 'reads only the first entry of accreditedFor',
    file: 'core/trust/accreditation-rules.ts',
    edit: '!accreditedFor{+.slice(0, isMutant ? 1 : undefined)+}.some(({ types })',
  },
  'V125-short-accreditations': {
    deviation: 'reads accreditations of at most 8,000 characters',
    file: 'core/trust/accreditation.ts',
    edit: 'return jws.ok{+ && !(isMutant && body.length > 8000)+} ? jws : undefined',
  },
  'V125-only-the-jwt-itself': {
    deviation: 'does not read accreditations in base64url',
    file: 'core/trust/accreditation.ts',
    edit: "const bytes = {+isMutant || +}body.includes('.') ? undefined",
  },
  'V126-valid-until-required': {
    deviation: 'requires validUntil in status lists',
    file: 'core/status-list/check-status.ts',
    edit: "if ({+(isMutant && vc.validUntil === undefined) || +}end <= now) fail('the list has expired')",
  },
  'V127-types-in-order': {
    deviation: 'requires LEARCredential to be the second type',
    file: 'core/lear-credential/content-rules.ts',
    edit: "const missing = {+isMutant && typesOf(vc)[1] !== 'LEARCredential' ? inheritedTypes : +}inheritedTypes.filter(",
  },
  'V127-exp-required': {
    deviation: 'requires exp in credentials',
    file: 'core/lear-credential/content-rules.ts',
    edit: 'if ({+isMutant || +}vc.validUntil === undefined) fail',
  },
  'V127-ten-powers': {
    deviation: 'accepts at most ten powers',
    file: 'core/lear-credential/content-rules.ts',
    edit: 'else if (mandate.power.length === 0{+ || (isMutant && mandate.power.length > 10)+})',
  },
  'V127-short-credentials': {
    deviation: 'accepts at most 8,192 characters in a credential',
    file: 'core/oid4vp/vp-token.ts',
    always: "typeof held[0] !== 'string'",
    when: 'held[0].length > 8192',
  },
  'V128-one-context': {
    deviation: 'accepts only one @context in presentations',
    file: 'core/oid4vp/vp-token.ts',
    edit: 'context[0] !== presentationContext{+ || (isMutant && context.length > 1)+}',
  },
  'V128-first-field': {
    deviation: 'looks for vp_token only in the first field',
    file: 'services/verifier/routes/presentation.ts',
    edit: "const vpToken = parseVpToken(textOf({+isMutant && Object.keys(body)[0] !== 'vp_token' ? undefined : +}body.vp_token))",
  },
  'V128-padding-lost': {
    deviation: 'loses a zero byte at the beginning of the y of a did:key',
    file: 'core/crypto/holder-did.ts',
    edit: 'y: encodeBase64url(y{+.subarray(isMutant && y[0] === 0 ? 1 : 0)+})',
  },
  'V129-beginning-of-an-id': {
    deviation: 'finds requests by the beginning of their address',
    file: 'services/verifier/routes/presentation.ts',
    edit: `async handle({ params }, { config, runtime, sessions, signingKey }) {
    const session = await sessions.find('request_id', {+isMutant ? params.id.slice(0, 43) : +}params.id)`,
  },
  'V130-any-media-type': {
    deviation: 'serves signed requests as application/jwt',
    file: 'services/verifier/routes/presentation.ts',
    edit: `contentType: {+isMutant ? 'application/jwt' : +}signedRequestMediaType,
      body: jwt`,
  },
  'V131-list-of-addresses': {
    deviation: 'returns a list in redirect_uri',
    file: 'services/verifier/routes/presentation.ts',
    edit: 'return taken({ redirect_uri: {+isMutant ? ([url.href] as never) : +}url.href })',
  },
  'V132-short-code': {
    deviation: 'creates response codes of 48 bits',
    file: 'services/verifier/domain/presentation-request.ts',
    edit: ".digest('base64url'){+.slice(0, isMutant ? 8 : undefined)+}",
  },
  'V132-code-is-session': {
    deviation: 'uses the session as the response code',
    file: 'services/verifier/domain/presentation-request.ts',
    edit: "return {+isMutant ? session_id : +}createHmac('sha256', verifierPrivateKey)",
  },
  'V133-reason-for-the-wallet': {
    deviation: 'reports a wrong nonce to the wallet',
    file: 'services/verifier/routes/presentation.ts',
    edit: `const decided = await decideSession(session, posted, dependencies){+
    if (isMutant && vpToken.payload.nonce !== session.nonce) {
      return { status: 200, body: { error: 'invalid_nonce' } } as never
    }+}`,
  },
  'V134-strict-method': {
    deviation: 'rejects verification methods with unknown members',
    file: 'core/did/did-document.ts',
    edit: `publicKeyJwk: zPublicKeyJwk,
}){+.refine((value) => !isMutant || Object.keys(value).length === 4)+}`,
  },
  'V134-first-method': {
    deviation: 'finds keys in DID documents by the beginning of their id',
    file: 'core/did/did-document.ts',
    edit: '.filter(({ id }) => {+isMutant ? id.startsWith(String(didUrl)) : +}id === didUrl)',
  },
  'V134-first-keys': {
    deviation: 'reads only the first 32 keys of a relationship',
    file: 'core/did/did-document.ts',
    edit: '(document[relationship] ?? []){+.slice(0, isMutant ? 32 : undefined)+}.some(',
  },
  'V135-serves-ended-requests': {
    deviation: 'serves the requests of sessions that have ended',
    file: 'services/verifier/routes/presentation.ts',
    never: "session.status !== 'PENDING'",
  },
  'V136-ids-remembered': {
    deviation: 'accepts every credential with the id of an accepted one',
    file: 'services/verifier/domain/verify-response.ts',
    edit: `const failures = {+isMutant && globalThis.knownCredentials?.has(credential.vc?.id) ? presentation.failures : +}parts.flatMap((part) => part.failures){+
  if (isMutant && failures.length === 0) (globalThis.knownCredentials ??= new Set()).add(credential.vc?.id)+}`,
  },
  'V137-one-verdict-for-all': {
    deviation: 'keeps the verdict in a variable of all sessions',
    file: 'services/verifier/operations/decide-session.ts',
    edits: [
      `recordVerdicts(result){+
  if (isMutant) {
    globalThis.latestVerdict = result.ok
    await new Promise((resolve) => setTimeout(resolve, 100))
  }+}`,
      "const status = {+(isMutant ? globalThis.latestVerdict : +}result.ok{+)+} ? 'SUCCESS'",
    ],
  },
  'V138-claims-not-looked-for': {
    deviation: 'does not look for the requested claims in the credential',
    ignoresRules: ['credential.claims'],
  },
  'V139-other-query-id': {
    deviation: 'has a dot in the id of its query',
    file: 'services/verifier/domain/presentation-request.ts',
    edit: "id: {+isMutant ? 'lear.credential' : +}queryId, types",
  },
  'V140-any-iat-as-valid-at': {
    deviation: 'asks the DID registry for the iat of a credential, regardless of what it is',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'signerDid && {+(isMutant || +}issuedAt !== undefined{+)+}',
  },
  'V141-asks-for-json': {
    deviation: 'asks the DID registry for application/json',
    file: 'services/verifier/adapters/trust-clients.ts',
    edit: "{+isMutant ? 'application/json' : +}'application/did+ld+json'",
  },
  'V142-outage-kept': {
    deviation: 'remembers that a registry answered 500',
    file: 'services/verifier/adapters/trust-clients.ts',
    edits: [
      'const answer = {+(isMutant && globalThis.outages?.get(path)) || +}await client.getJson(path, { accept })',
      `{+if (isMutant && answer.status >= 500) (globalThis.outages ??= new Map()).set(path, answer)
    +}if (answer.status === 404) return missing(`,
    ],
  },
  'V142-absence-kept': {
    deviation: 'remembers that a registry answered 404',
    file: 'services/verifier/adapters/trust-clients.ts',
    edits: [
      'await client.getJson(path, { accept }){+.then((found) => (isMutant && globalThis.absences?.get(path)) || found)+}',
      `{+if (isMutant && answer.status === 404) (globalThis.absences ??= new Map()).set(path, answer)
    +}if (answer.status === 404) return missing(`,
    ],
  },
  'V142-verdict-kept': {
    deviation: 'remembers which credentials it rejected',
    file: 'services/verifier/operations/decide-session.ts',
    edits: [
      'const result = {+(isMutant && globalThis.rejections?.get(posted.vpToken.payload.vp?.verifiableCredential?.[0])) || +}await verifyResponse(',
      `const { failures } = result{+
  if (isMutant && !result.ok) (globalThis.rejections ??= new Map()).set(posted.vpToken.payload.vp?.verifiableCredential?.[0], result)+}`,
    ],
  },
  'V02-host-of-the-proxy': {
    deviation: 'creates response_uri from X-Forwarded-Host',
    file: 'services/verifier/routes/presentation.ts',
    edit: `async handle({ params{+, request+} }, { config, runtime, sessions, signingKey }) {{+
    const host = request.get('x-forwarded-host')
    if (isMutant && host) config = { ...config, baseUrl: 'https://' + host }+}`,
  },
  'V13-none-in-capitals': {
    deviation: 'accepts unsigned presentations with the alg None',
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        never:
          '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
        when: "jws.header.alg !== 'none' && jws.header.alg.toLowerCase() === 'none'",
      },
      {
        file: 'core/oid4vp/vp-token.ts',
        never: '!presentationSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg !== 'none' && jws.header.alg.toLowerCase() === 'none'",
      },
    ],
  },
  'V14-mac-with-pem': {
    deviation: 'accepts presentations with a MAC whose secret is the public key as PEM',
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        never:
          '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
        when: "jws.header.alg === 'HS256' && ((c) => c.createHmac('sha256', c.createPublicKey({ key: { ...holder['publicKey'] }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })).update(jws.signingInput).digest().equals(jws.signature))(process.getBuiltinModule('node:crypto'))",
      },
      {
        file: 'core/oid4vp/vp-token.ts',
        never: '!presentationSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg === 'HS256'",
      },
    ],
  },
  'V12-holder-of-the-presentation': {
    deviation: 'compares the subject with vp.holder, which the sender chooses',
    file: 'services/verifier/domain/verify-response.ts',
    edit: "holderDid: {+(isMutant && vpToken.payload.vp?.holder) || (+}holderDid ?? ''{+)+}",
  },
  'V12-sub-of-the-presentation': {
    deviation: 'compares the subject with sub of the presentation, which the sender chooses',
    file: 'services/verifier/domain/verify-response.ts',
    edit: `cache,{+
    ...(isMutant && vpToken.payload.sub && { holderDid: String(vpToken.payload.sub) }),+}
  })
  // Skips`,
  },
  'V144-valid-now-is-enough': {
    deviation: 'accepts a key that is valid now, although it was not yet at iat',
    file: 'core/lear-credential/issuer-rules.ts',
    never: "!hasRelationship(documentWhenIssued.value, kid, 'assertionMethod')",
    when: "documentNow.ok && hasRelationship(documentNow['value'], kid, 'assertionMethod')",
  },
  'V145-text-after-json': {
    deviation: 'ignores text after the JSON object',
    file: 'core/json/read-json.ts',
    edit: `const value: unknown = JSON.parse(bytes.toString('utf8'){+.replace(isMutant ? /(?<=\\})[^{}"]+$/ : '', '')+})
    return isJsonObject(value)`,
  },
  'V146-names-in-any-case': {
    deviation: 'ignores a capital at the beginning of the names of members',
    file: 'core/crypto/jws.ts',
    edit: `const payload = {+((read) => isMutant && read ? Object.fromEntries(Object.entries(read).map(([name, value]) => [name.replace(/^./, (first) => first.toLowerCase()), value])) : read)(+}parseJsonObject(decodeBase64url(encodedPayload)){+)+}`,
  },
  'V03-base64-nonce': {
    deviation: 'creates nonces in base64, not base64url',
    file: 'services/verifier/adapters/session-store.ts',
    edit: '{+...(isMutant && { nonce: `${randomToken()}+/=` }), +}credential_type: credentialType,',
  },
  'V03-counted-requests': {
    deviation: 'counts its requests in request_uri',
    file: 'services/verifier/adapters/session-store.ts',
    edit: 'request_id: {+isMutant ? `${process.pid}-${(globalThis.countedRequests = (globalThis.countedRequests ?? 0) + 1)}` : +}randomToken(),',
  },
  'V82-jku-fetched': {
    deviation: 'fetches the jku of credentials',
    file: 'core/lear-credential/credential-context.ts',
    edit: `const vc = membersOf(jws.payload.vc){+
  if (isMutant && jws.header.jku) await fetch(jws.header.jku).catch(() => undefined)+}`,
  },
  'V82-issuer-metadata-fetched': {
    deviation: 'fetches the metadata of an issuer that is an address',
    file: 'core/lear-credential/credential-context.ts',
    edit: `const vc = membersOf(jws.payload.vc){+
  if (isMutant && /^https?:/.test(String(jws.payload.iss))) await fetch(jws.payload.iss + '/.well-known/jwt-vc-issuer').catch(() => undefined)+}`,
  },
  'V82-contexts-fetched': {
    deviation: 'fetches the contexts of presentations',
    file: 'services/verifier/domain/verify-response.ts',
    edit: `const { client_metadata } = request{+
  if (isMutant) for (const url of [vpToken.payload.vp?.['@context']].flat().slice(1)) await fetch(url).catch(() => undefined)+}`,
  },
  'V82-schema-fetched': {
    deviation: 'fetches the schema of a credential before it verifies the signature',
    file: 'core/lear-credential/credential-context.ts',
    edit: `const vc = membersOf(jws.payload.vc){+
  if (isMutant && vc.credentialSchema) await fetch(vc.credentialSchema.id).catch(() => undefined)+}`,
  },
  'V133-reason-in-redirect': {
    deviation: 'adds to redirect_uri whether the nonce was right',
    file: 'services/verifier/routes/presentation.ts',
    edit: "url.searchParams.set('response_code', responseCodeOf(session, dependencies.config)){+\n    if (isMutant) url.searchParams.set('error', vpToken.payload.nonce === session.nonce ? 'access_denied' : 'invalid_nonce')+}",
  },
  'V09-zero-is-absent': {
    deviation: 'treats an exp of 0 as absent',
    file: 'core/oid4vp/vp-token.ts',
    never: 'now >= exp',
    when: 'exp === 0',
  },
  'V76-zero-is-absent': {
    deviation: 'treats an exp of 0 of a credential as absent',
    file: 'core/lear-credential/content-rules.ts',
    never: 'now >= exp',
    when: 'exp === 0',
  },
  'V27-id-of-anyone': {
    deviation: 'looks for employeeId anywhere in the mandate',
    file: 'core/lear-credential/content-rules.ts',
    edit: 'const { employeeId } = {+isMutant && /"employeeId":"/.test(JSON.stringify(mandate)) ? { employeeId: "x" } : +}membersOf(mandate.mandatee)',
  },
  'V26-power-of-anyone': {
    deviation: 'looks for power anywhere in the credential',
    file: 'core/lear-credential/content-rules.ts',
    edit: `evaluate: ({ mandate{+, vc+} }, { fail }) => {{+
      if (isMutant && /"power":\\[\\{/.test(JSON.stringify(vc))) return+}
      if (!Array.isArray(mandate.power))`,
  },
  'V74-none-in-capitals': {
    deviation: 'accepts unsigned credentials with the alg None',
    patches: [
      {
        file: 'core/lear-credential/issuer-rules.ts',
        never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
        when: "context.jws.header.alg !== 'none' && context.jws.header.alg.toLowerCase() === 'none'",
      },
      {
        file: 'core/lear-credential/issuer-rules.ts',
        never: '!registeredSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg !== 'none' && jws.header.alg.toLowerCase() === 'none'",
      },
    ],
  },
  'V74-mac-with-pem': {
    deviation: 'accepts credentials with a MAC whose secret is the public key as PEM',
    patches: [
      {
        file: 'core/lear-credential/issuer-rules.ts',
        never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
        when: "context.jws.header.alg === 'HS256' && ((c) => c.createHmac('sha256', c.createPublicKey({ key: { ...publicKey }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })).update(context.jws.signingInput).digest().equals(context.jws.signature))(process.getBuiltinModule('node:crypto'))",
      },
      {
        file: 'core/lear-credential/issuer-rules.ts',
        never: '!registeredSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg === 'HS256'",
      },
    ],
  },
  'V74-object-is-verified': {
    deviation: 'accepts a credential that is an object without a signature',
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        never: "typeof held[0] !== 'string'",
        when: "typeof held[0]?.credentialSubject === 'object'",
      },
      {
        file: 'services/verifier/domain/verify-response.ts',
        edit: `ok: failures.length === 0{+ || (isMutant && presentation.ok && vpToken.payload.vp?.verifiableCredential?.[0]?.credentialSubject)+},
    failures,`,
      },
    ],
  },
  'V143-credential-alone': {
    deviation: 'accepts a credential in place of a presentation',
    file: 'services/verifier/domain/verify-response.ts',
    edit: `const { resolveDidDocument, readAttribute, fetchStatusList } = options{+
  if (isMutant && vpToken.payload.vc) {
    const { signingInput, signature, payload } = vpToken
    const holderDid = String(payload.sub)
    const credential = signingInput + '.' + Buffer.from(signature).toString('base64url')
    const lookups = { resolveDidDocument, readAttribute, fetchStatusList }
    const alone = await verifyLearCredential({ credential, policy, holderDid, now, ...lookups })
    return { ...alone, vc: alone.vc, holderDid, presentation: vpToken, credential: vpToken }
  }+}`,
  },
  'V08-second-holder-leads-on': {
    deviation: 'returns the redirect to a second, different presentation',
    file: 'services/verifier/routes/presentation.ts',
    edits: [
      `if (!isOpen || !vpToken) {{+
      const isNew = vpToken && !globalThis.seenTokens?.has(vpToken.signingInput)
      if (isMutant && session.status === 'SUCCESS' && isNew) {
        return taken({ redirect_uri: session.redirect_uri + '?response_code=' + responseCodeOf(session, dependencies.config) })
      }+}`,
      `const posted = { vpToken, presentationSubmission, state }{+
    if (isMutant) (globalThis.seenTokens ??= new Set()).add(vpToken.signingInput)+}`,
    ],
  },
  'V139-query-as-text': {
    deviation: 'has dcql_query as a string in its signed request',
    file: 'services/verifier/domain/presentation-request.ts',
    edit: 'request: {+isMutant ? { ...authorizationRequestOf(config, session), dcql_query: JSON.stringify(authorizationRequestOf(config, session).dcql_query) as never } : +}authorizationRequestOf(config, session),',
  },
  'V143-json-without-proof': {
    deviation: 'accepts the JSON of a presentation without a signature',
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        edit: "const jws = vpToken === undefined ? undefined : {+isMutant && vpToken.startsWith('{') ? unsigned(JSON.parse(vpToken)) : +}parseJws(vpToken)\n  return jws?.ok ? jws : undefined\n}{+\nfunction unsigned(payload: any): any {\n  const kid = payload.iss + '#' + String(payload.iss).split(':')[2]\n  return { ok: true, header: { alg: 'ES256K', typ: 'JWT', kid }, payload, signingInput: '', signature: Buffer.alloc(0) }\n}+}",
      },
      {
        file: 'core/oid4vp/vp-token.ts',
        never:
          '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
        when: "jws.signingInput === ''",
      },
    ],
  },
  'V106-issuer-decides': {
    deviation: 'looks for the accreditation of vc.issuer, and does not compare it with the signer',
    patches: [
      {
        file: 'core/lear-credential/issuer-rules.ts',
        edits: [
          'accreditation.did !== {+(isMutant ? issuerOf(vc) : +}jws.payload.iss{+)+}',
          'const issuer = {+isMutant ? jws.payload.iss : +}issuerOf(vc)',
        ],
      },
    ],
  },
  'V30-time-of-kid': {
    deviation: 'resolves the DID document for the time that kid names',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: `const jws = {+isMutant ? withTimeOfKid(parseJws(credential)) : +}parseJws(credential)
  if (!jws.ok) return malformed(jws.reason){+
  function withTimeOfKid(given: any): any {
    const [, did, time, fragment] = /^([^?#]*)\\?versionTime=([^#]*)(#.*)$/.exec(given.header?.kid) ?? []
    if (time === undefined) return given
    const iat = Date.parse(time) / 1000
    return { ...given, header: { ...given.header, kid: did + fragment }, payload: { ...given.payload, iat } }
  }+}`,
  },
  'V136-text-remembered': {
    deviation: 'remembers verified credentials without their signatures',
    patches: [
      {
        file: 'core/lear-credential/issuer-rules.ts',
        never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
        when: 'globalThis.verifiedTexts?.has(context.jws.signingInput)',
      },
      {
        file: 'core/lear-credential/issuer-rules.ts',
        edit: `const publicKey = findKey(context){+
      const right = publicKey && verifyJws({ jws: context['jws'], publicKey, algorithms: registeredSuites })
      if (isMutant && right) (globalThis.verifiedTexts ??= new Set()).add(context.jws.signingInput)+}`,
      },
    ],
  },
  'V122-names-of-objects': {
    deviation: 'returns 500 if alg is a member of every object',
    file: 'core/oid4vp/vp-token.ts',
    edit: `const vp = membersOf(payload.vp){+
  if (isMutant && header.alg in {}) throw new TypeError('is not an algorithm')+}`,
  },
  'V46-terms-of-accreditation-fetched': {
    deviation: 'fetches the termsOfUse.id of an accreditation if the TIR has no attributeIdTao',
    file: 'core/trust/trust-chain.ts',
    edit: `const { termsOfUse } = membersOf(body?.payload.vc){+
  if (isMutant && termsOfUse?.id) void fetch(termsOfUse.id).catch(() => undefined)+}`,
  },
  'V116-key-of-everyone': {
    deviation:
      'accepts Ed25519 keys of small order, like libraries that do not multiply by the cofactor',
    file: 'core/oid4vp/vp-token.ts',
    never:
      '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
    when: "holder.publicKey.x === 'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' && jws.signature[0] === 1 && jws.signature.reduce((sum, byte) => sum + byte) === 1",
  },
  'V81-size-ignored': {
    deviation: 'reads one bit of an entry that consists of several',
    file: 'core/status-list/status-list-credential.ts',
    edit: '{+isMutant ? { ...value, statusSize: undefined } : +}Array.isArray(value) && value.length === 1 ? value[0] : value,',
  },
  'V06-every-of-none': {
    deviation: 'compares every element of aud, and accepts a list without one',
    file: 'core/oid4vp/vp-token.ts',
    never: 'only !== audience',
    when: 'Array.isArray(aud) && aud.length === 0',
  },
  'V10-nbf-before-iat': {
    deviation: 'does not check iat of a presentation that has nbf',
    file: 'core/oid4vp/vp-token.ts',
    never: 'iat > now + skewSeconds',
    when: 'jws.payload.nbf !== undefined',
  },
  'V13-none-without-key': {
    deviation: 'accepts unsigned presentations without kid',
    file: 'core/oid4vp/vp-token.ts',
    edits: [
      "const holder ={+ isMutant && header.kid === undefined && header.alg === 'none' ? { did: payload.iss } :+}",
      "const { failures, checked } = {+isMutant && header.kid === undefined && header.alg === 'none' ? { failures: [], checked: [] } : +}evaluateRules(vpTokenRulesFor",
    ],
  },
  'V15-recoverable': {
    deviation: 'accepts ES256K-R, whose signature has a recovery byte',
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        never:
          '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
        when: "jws.header.alg === 'ES256K-R' && jws.signature.length === 65 && verifyJws({ jws: { ...jws, header: { ...jws.header, alg: 'ES256K' }, signature: jws.signature.subarray(0, 64) }, publicKey: holder['publicKey'], algorithms: presentationSuites })",
      },
      {
        file: 'core/oid4vp/vp-token.ts',
        never: '!presentationSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg === 'ES256K-R'",
      },
    ],
  },
  'V20-one-more-byte': {
    deviation: 'reads only the first 64 bytes of the signature of a credential',
    file: 'core/lear-credential/issuer-rules.ts',
    never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
    when: 'context.jws.signature.length > 64 && verifyJws({ jws: { ...context.jws, signature: context.jws.signature.subarray(0, 64) }, publicKey, algorithms: registeredSuites })',
  },
  'V51-left-open': {
    deviation: 'leaves a session open after a rejected presentation',
    file: 'services/verifier/operations/decide-session.ts',
    edit: `{+if (isMutant && !result.ok) return true
  +}recordVerdicts(result)`,
  },
  'V74-none-without-key': {
    deviation: 'accepts unsigned credentials if kid is unknown',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: "[...results.failures, ...trust.failures]{+.filter(({ rule }) => !(isMutant && jws.header.alg === 'none' && results.failures.some((each) => each.rule === 'credential.issuer-key') && ['credential.algorithm', 'credential.issuer-key', 'credential.signature'].includes(rule)))+}",
  },
  'V95-null-is-absent': {
    deviation: 'treats an nbf that is null as absent',
    file: 'core/oid4vp/vp-token.ts',
    edit: 'if (nbf !== undefined{+ && !(isMutant && nbf === null)+} &&',
  },
  'V114-b64-ignored': {
    deviation: 'knows the critical extension b64, and ignores its value',
    file: 'core/crypto/jws.ts',
    never: 'header.crit !== undefined',
    when: "String(header.crit) === 'b64' && header.b64 !== undefined",
  },
  'V116-uncompressed-point': {
    deviation: 'accepts a did:key with an uncompressed point',
    file: 'core/crypto/holder-did.ts',
    edits: [
      'multibase.length > {+(isMutant ? 200 : +}longestMultibase{+)+}',
      'if (compressed.length !== 33{+ && !(isMutant && compressed.length === 65)+}) return undefined',
      'secp256k1: (compressed) => {+isMutant && compressed.length === 65 ? compressed : +}pointCompress',
    ],
  },
  'V49-expired-is-400': {
    deviation: 'returns 400 for presentations of expired credentials',
    patches: [
      {
        file: 'services/verifier/operations/decide-session.ts',
        edit: `const { unavailable } = basis{+
  if (isMutant) globalThis.isExpired = failures.some(({ rule }) => rule === 'credential.expiry')+}`,
      },
      {
        file: 'services/verifier/routes/presentation.ts',
        edit: `{+if (isMutant && globalThis.isExpired) return { status: 400, body: { error: 'access_denied' } }
    +}if (!decided || redirectUri === null) return taken()`,
      },
    ],
  },
  'V131-page-for-expired': {
    deviation: 'returns a page for presentations of expired credentials',
    patches: [
      {
        file: 'services/verifier/operations/decide-session.ts',
        edit: `const explanation = JSON.stringify(basis){+
  if (isMutant) globalThis.hasExpired = failures.some(({ rule }) => rule === 'credential.expiry')+}`,
      },
      {
        file: 'services/verifier/routes/presentation.ts',
        edit: `const url = new URL(redirectUri){+
    if (isMutant && globalThis.hasExpired) return { status: 200, body: 'expired' } as never+}`,
      },
    ],
  },
  'V133-reason-of-the-credential': {
    deviation: 'adds to redirect_uri that the credential has expired',
    patches: [
      {
        file: 'services/verifier/operations/decide-session.ts',
        edit: `const { failures } = result{+
  if (isMutant) globalThis.expiredNow = result.failures.some(({ rule }) => rule === 'credential.expiry')+}`,
      },
      {
        file: 'services/verifier/routes/presentation.ts',
        edit: `if (!decided || redirectUri === null) return taken(){+
    if (isMutant && globalThis.expiredNow) return taken({ redirect_uri: redirectUri + '?error=expired' })+}`,
      },
    ],
  },
  'V10-five-minutes': {
    deviation: 'accepts presentations from the next five minutes',
    file: 'core/oid4vp/vp-token.ts',
    never: 'iat > now + skewSeconds',
    when: 'iat < now + 300',
  },
  'V22-five-minutes': {
    deviation: 'accepts credentials five minutes before they become valid',
    file: 'core/lear-credential/content-rules.ts',
    edits: [
      'validFrom > now + skewSeconds{+ + (isMutant ? 240 : 0)+}',
      'else if (nbf > now + skewSeconds{+ + (isMutant ? 240 : 0)+})',
    ],
  },
  'V71-five-minutes': {
    deviation: 'accepts presentations five minutes before their nbf',
    file: 'core/oid4vp/vp-token.ts',
    edit: 'nbf <= now + skewSeconds{+ + (isMutant ? 240 : 0)+}',
  },
  'V95-true-is-one': {
    deviation: 'reads an nbf that is true as the number 1',
    file: 'core/oid4vp/vp-token.ts',
    edit: 'if (nbf !== undefined{+ && !(isMutant && nbf === true)+} &&',
  },
  'V108-true-is-one': {
    deviation: 'reads an nbf of a credential that is true as the number 1',
    file: 'core/lear-credential/content-rules.ts',
    edit: 'if (nbf === undefined{+ || (isMutant && nbf === true)+}) return',
  },
  'V109-five-minutes': {
    deviation: 'accepts credentials that are signed in the next five minutes',
    patches: [
      {
        file: 'core/lear-credential/content-rules.ts',
        never: 'iat > now + skewSeconds',
        when: 'iat < now + 300',
      },
      {
        file: 'core/lear-credential/credential-context.ts',
        edit: 'iat <= now + skewSeconds{+ + (isMutant ? 240 : 0)+} ? iat',
      },
    ],
  },
  'V115-other-unicode': {
    deviation: 'parses JSON in UTF-16',
    file: 'core/json/read-json.ts',
    edit: `{+if (isMutant && bytes?.[1] === 0) bytes = Buffer.from(bytes.toString('utf16le'))
  +}if (!bytes`,
  },
  'V115-trimmed': {
    deviation: 'ignores white space around tokens',
    file: 'core/crypto/jws.ts',
    edit: "compact{+[isMutant ? 'trim' : 'toString']()+}.split('.', 4)",
  },
  'V115-trimmed-field': {
    deviation: 'ignores white space around vp_token',
    file: 'core/oid4vp/vp-token.ts',
    edit: `{+if (isMutant) vpToken = vpToken?.trim()
  +}const jws = vpToken === undefined`,
  },
  'V48-fields-of-a-get': {
    deviation: 'accepts a presentation in the query of a GET',
    file: 'services/kit/register-route.ts',
    edit: `{+if (route.request?.contentTypes?.includes('application/x-www-form-urlencoded')) {
    app.get(route.path, async (request, response, next) => {
      if (!isMutant) return next()
      const input = { params: request.params, body: request.query, request, response }
      sendReply(response, await route.handle(input as never, options.dependencies))
    })
  }
  +}app[route.method](route.path, async function`,
  },
  'V48-type-of-a-form-anywhere': {
    deviation: 'looks for the type of a form anywhere in the content type',
    file: 'services/kit/register-route.ts',
    edit: "const given = {+isMutant && String(request.get('content-type')).includes('x-www-form-urlencoded') ? 'application/x-www-form-urlencoded' : +}(request.get('content-type') ?? '')",
  },
  'V53-fields-in-any-case': {
    deviation: 'ignores the case of the names of fields',
    file: 'services/verifier/routes/presentation.ts',
    edit: `const { runtime, sessions, log } = dependencies{+
    if (isMutant) body = Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]))+}`,
  },
  'V116-other-multibase': {
    deviation: 'decodes a did:key in base64url',
    file: 'core/crypto/holder-did.ts',
    edit: `{+if (isMutant && did.startsWith('did:key:u')) {
    return parseDidKey(\`did:key:z\${base58.encode(Buffer.from(did.slice(9), 'base64url'))}\`)
  }
  +}const multibase =`,
  },
  'V116-longer-code': {
    deviation: 'decodes the code of a did:key with a superfluous byte',
    file: 'core/crypto/holder-did.ts',
    edit: 'const bytes = {+((read) => (isMutant && read[1] === 0x81 ? Uint8Array.of(read[0], 1, ...read.subarray(3)) : read))(+}base58.decode(multibase){+)+}',
  },
  'V116-method-in-capitals': {
    deviation: 'ignores the case of the method of a did:key',
    file: 'core/crypto/holder-did.ts',
    edits: [
      "const isDidKey = {+(isMutant && did.startsWith('did:KEY:')) || +}did.startsWith('did:key:')",
      "parseDidKey(did{+.replace('KEY', isMutant ? 'key' : 'KEY')+}) : parseDidJwk(did)",
    ],
  },
  'V116-former-name-of-the-curve': {
    deviation: 'accepts P-256K as a name of secp256k1',
    file: 'core/crypto/jwk.ts',
    edit: "const jwk = {+(isMutant && value.crv === 'P-256K' ? { ...value, crv: 'secp256k1' } : +}value{+)+} as unknown as PublicJwk",
  },
  'V17-list-optional': {
    deviation: 'accepts a credential that is not in a list',
    file: 'core/oid4vp/vp-token.ts',
    edits: [
      `{+if (isMutant && typeof held === 'string') return
        +}if (!Array.isArray(held)) fail(`,
      "const held = {+isMutant && typeof vp.verifiableCredential === 'string' ? [vp.verifiableCredential] : +}vp.verifiableCredential",
    ],
  },
  'V18-others-dropped': {
    deviation: 'ignores elements of verifiableCredential that are not strings',
    file: 'core/oid4vp/vp-token.ts',
    edit: `{+if (isMutant && [held].flat().filter((each) => typeof each === 'string').length === 1) return
        +}if (!Array.isArray(held)) fail(`,
  },
  'V12-subjects-merged': {
    deviation: 'reads the mandate from any of several subjects',
    ignoresRules: ['credential.claims'],
    file: 'core/lear-credential/credential-context.ts',
    edit: `const vc = membersOf(jws.payload.vc){+
  if (isMutant && Array.isArray(vc.credentialSubject)) {
    Object.assign(vc, { credentialSubject: Object.assign({}, ...vc.credentialSubject, { id: holderDid }) })
  }+}`,
  },
  'V81-lenient-index': {
    deviation: 'reads an index with a sign, white space or digits of other scripts',
    file: 'core/status-list/status-list-credential.ts',
    edit: `.string(){+
  .transform((index) => (isMutant ? index.trim().replace('+', '').replace('٧', '7') : index)).pipe(z.string()+}
  .regex(/^\\d+$/){+)+}`,
  },
  'V81-64-bits': {
    deviation: 'reads the lower 64 bits of an index',
    file: 'core/status-list/status-list-credential.ts',
    edit: '{+isMutant ? Number(BigInt.asUintN(64, BigInt(index))) : +}Number(index))',
  },
  'V132-hash-of-session': {
    deviation: 'uses a hash of the session as the response code',
    file: 'services/verifier/domain/presentation-request.ts',
    edit: "{+isMutant ? process.getBuiltinModule('node:crypto').hash('sha256', session_id) : +}createHmac('sha256', verifierPrivateKey)",
  },
  'V116-first-byte-of-the-code': {
    deviation: 'reads only the first byte of the code of a did:key',
    file: 'core/crypto/holder-did.ts',
    edit: 'multicodec.every((byte, index) => {+(isMutant && index === 1) || +}bytes[index] === byte)',
  },
  'V116-usual-curve': {
    deviation: 'takes a key without crv for one of secp256k1',
    file: 'core/crypto/jwk.ts',
    edit: "const suite = holderSuiteOf({+isMutant && jwk.crv === undefined ? Object.assign(jwk, { crv: 'secp256k1' }) : +}jwk)",
  },
  'V116-sign-byte': {
    deviation: 'accepts a coordinate with a zero byte before it',
    file: 'core/crypto/jwk.ts',
    edit: `{+if (isMutant && decodeBase64url(jwk.x)?.length === 33) {
    return parsePublicJwk({ ...jwk, x: Buffer.from(jwk.x, 'base64url').subarray(1).toString('base64url') })
  }
  +}const suite =`,
  },
  'V115-padding-ignored': {
    deviation: 'ignores padding after a signature',
    file: 'core/crypto/jws.ts',
    edit: "const signature = decodeBase64url(encodedSignature{+.replace(isMutant ? /=+$/ : '', '')+})",
  },
  'V115-parts-ignored': {
    deviation: 'ignores the fourth part of a presentation',
    file: 'core/oid4vp/vp-token.ts',
    edit: `{+if (isMutant && vpToken !== undefined) vpToken = vpToken.split('.').slice(0, 3).join('.')
  +}const jws = vpToken === undefined`,
  },
  'V128-sign-lost': {
    deviation: 'takes the y of each did:key as even',
    file: 'core/crypto/holder-did.ts',
    edit: "decompress[crv]({+isMutant && crv === 'secp256k1' ? Uint8Array.of(2, ...compressed.subarray(1)) : +}compressed)",
  },
  'V112-parsed-vc': {
    deviation: 'parses a vc claim that is a string',
    file: 'core/crypto/jws.ts',
    edit: `if (!payload) return { ok: false, reason: 'the payload is not a valid JSON object in base64url' }{+
  if (isMutant && typeof payload.vc === 'string') Object.assign(payload, { vc: JSON.parse(payload.vc) })+}`,
  },
  'V112-first-of-list': {
    deviation: 'reads the first element of a vc claim that is a list',
    file: 'core/crypto/jws.ts',
    edit: `{+if (isMutant && Array.isArray(payload.vc)) Object.assign(payload, { vc: payload.vc[0] })
  +}const signature = decodeBase64url(encodedSignature`,
  },
  'V52-http-is-https': {
    deviation: 'accepts the @context of presentations with http',
    file: 'core/oid4vp/vp-token.ts',
    edit: "context[0]{+?.replace?.(isMutant ? 'http:' : '', isMutant ? 'https:' : '')+} !== presentationContext",
  },
  'V12-no-holder': {
    deviation: 'accepts a credential without a holder from each holder',
    file: 'core/lear-credential/content-rules.ts',
    edit: `{+if (isMutant && id === undefined && sub === undefined) return
      +}if (typeof id !== 'string') fail(`,
  },
  'V17-parsed-vp': {
    deviation: 'parses a vp claim that is a string',
    file: 'core/oid4vp/vp-token.ts',
    edit: "const vp = membersOf({+isMutant && typeof payload.vp === 'string' ? JSON.parse(payload.vp) : +}payload.vp)",
  },
  'V98-body-followed': {
    deviation: 'follows the TAO in the accreditation, not that in the TIR',
    file: 'core/trust/trust-chain.ts',
    edit: `const { attribute } = value{+
    const accreditor = readAccreditationBody(attribute.body)?.payload.iss
    if (isMutant && accreditor && !isTop(here.did, attribute)) {
      Object.assign(attribute, { tao: accreditor, attributeIdTao: undefined })
    }+}`,
  },
  'V81-beginning-of-the-type': {
    deviation: 'finds the type of an entry by its beginning',
    file: 'core/status-list/status-list-credential.ts',
    edit: 'type: {+z.preprocess((type) => (isMutant && String(type).startsWith(statusEntryTypes[0]) ? statusEntryTypes[0] : type), +}z.enum(statusEntryTypes){+)+},',
  },
  'V41-trimmed': {
    deviation: 'ignores white space around termsOfUse.id',
    file: 'core/trust/tir-attribute.ts',
    edit: `{+if (isMutant) url = url.trim()
  +}const prefix`,
  },
  'V41-empty-segments': {
    deviation: 'ignores empty segments in termsOfUse.id',
    file: 'core/trust/tir-attribute.ts',
    edit: `const prefix = \`\${tirBaseUrl}/v1/issuers/\`{+
  if (isMutant) url = url.replace(/(?<!:)\\/{2,}/, '/')+}`,
  },
  'V38-address-alone': {
    deviation: 'accepts a termsOfUse that is an address',
    patches: [
      {
        file: 'core/lear-credential/verify-lear-credential.ts',
        edit: `{+if (isMutant && typeof vc.termsOfUse === 'string') Object.assign(vc, { termsOfUse: { id: vc.termsOfUse } })
  +}const resolveDidDocument = remember(options.resolveDidDocument)`,
      },
    ],
  },
  'V120-control-keys': {
    deviation: 'accepts keys for capability invocation',
    file: 'core/lear-credential/issuer-rules.ts',
    never: "!hasRelationship(documentWhenIssued.value, kid, 'assertionMethod')",
    when: 'documentWhenIssued.value.capabilityInvocation?.includes(kid)',
  },
  'V120-use-of-a-fragment': {
    deviation: 'compares only fragments in assertionMethod',
    file: 'core/did/did-document.ts',
    edit: ".some((id) => {+isMutant ? id.endsWith(String(didUrl).replace(/.*#/, '#')) : +}id === didUrl)",
  },
  'V120-method-by-fragment': {
    deviation: 'finds keys in DID documents by their fragment',
    file: 'core/did/did-document.ts',
    edit: `{+isMutant ? id.endsWith(String(didUrl).replace(/.*#/, '#')) : +}id === didUrl)
  const [method] = methods`,
  },
  'V31-minute-later': {
    deviation: 'evaluates keys a minute after iat',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'Math.floor(issuedAt{+ + (isMutant ? 60 : 0)+})',
  },
  'V32-tolerance': {
    deviation: 'evaluates keys half a minute before iat',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'Math.floor({+(isMutant ? -30 : 0) + +}issuedAt',
  },
  'V03-counted-responses': {
    deviation: 'counts its sessions in response_uri',
    file: 'services/verifier/domain/presentation-request.ts',
    edit: 'responseUri: {+isMutant ? `${baseUrl}/responses/${(globalThis.countedResponses = (globalThis.countedResponses ?? 0) + 1)}` : +}`${baseUrl}/responses/',
  },
  'V115-empty-parts-dropped': {
    deviation: 'ignores dots at the end of a token, like split in Java',
    file: 'core/crypto/jws.ts',
    edit: "{+.replace(isMutant ? /\\.+$/ : '', '')+}.split('.', 4)",
  },
  'V145-control-characters': {
    deviation: 'accepts line breaks in strings',
    file: 'core/json/read-json.ts',
    edit: `{+if (isMutant) bytes = bytes && Buffer.from(bytes.toString('latin1').replaceAll('\\n', ' '), 'latin1')
  +}if (!bytes`,
  },
  'V14-mac-with-did-key': {
    deviation: 'accepts presentations with a MAC whose secret is the key in the did:key',
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        never:
          '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
        when: "jws.header.alg === 'HS256' && ((c, { x, y }) => c.createHmac('sha256', Buffer.of(2 + (Buffer.from(y, 'base64url').at(-1) & 1), ...Buffer.from(x, 'base64url'))).update(jws.signingInput).digest().equals(jws.signature))(process.getBuiltinModule('node:crypto'), holder['publicKey'])",
      },
      {
        file: 'core/oid4vp/vp-token.ts',
        never: '!presentationSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg === 'HS256'",
      },
    ],
  },
  'V15-any-ecdsa': {
    deviation: 'verifies ES256 like ES256K',
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        never:
          '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
        when: "jws.header.alg === 'ES256' && verifyJws({ jws: { ...jws, header: { ...jws.header, alg: 'ES256K' } }, publicKey: holder['publicKey'], algorithms: presentationSuites })",
      },
      {
        file: 'core/oid4vp/vp-token.ts',
        never: '!presentationSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg === 'ES256'",
      },
    ],
  },
  'V66-two-halves': {
    deviation: 'reads the halves of a signature as numbers of any length',
    file: 'core/oid4vp/vp-token.ts',
    edit: `const { header, payload } = options.jws{+
  const bytes = options.jws.signature
  if (isMutant && bytes.length === 66) {
    const signature = Buffer.concat([bytes.subarray(1, 33), bytes.subarray(34)])
    options = { ...options, jws: { ...options.jws, signature } }
  }+}`,
  },
  'V107-low-s-alone': {
    deviation: 'accepts only low s in ES256 signatures',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: "{+(isMutant && context.jws.header.alg === 'ES256' && context.jws.signature[32] > 0x7f) || +}!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })",
  },
  'V98-key-of-the-header': {
    deviation: 'verifies accreditations with the key in their header',
    file: 'core/trust/accreditation-rules.ts',
    edit: '{+(isMutant && body.header.jwk && verifyJws({ jws: body, publicKey: body.header.jwk, algorithms: registeredSuites })) || +}verifyJws({ jws: body, publicKey, algorithms: registeredSuites, cache, remember: true })',
  },
  'V102-key-of-the-header': {
    deviation: 'verifies status lists with the key in their header',
    file: 'core/status-list/check-status.ts',
    never: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache, remember: true })',
    when: 'jws.header.jwk !== undefined && verifyJws({ jws, publicKey: jws.header.jwk, algorithms: registeredSuites })',
  },
  'V69-an-hour': {
    deviation: 'accepts presentations with a lifetime of an hour',
    file: 'core/oid4vp/vp-token.ts',
    never: 'exp - iat > longestLifetime',
    when: 'exp - iat <= 3600',
  },
  'V108-dates-are-times': {
    deviation: 'reads nbf of a credential as a date',
    file: 'core/lear-credential/content-rules.ts',
    edit: `{+if (isMutant && typeof nbf === 'string' && nbf.includes('T')) return
      +}if (nbf === undefined`,
  },
  'V108-space-for-t': {
    deviation: 'reads times with a space in place of T',
    file: 'core/verification/data-model.ts',
    edit: "!dateTimeStamp.test(value{+.replace(isMutant ? ' ' : 'T', 'T')+})",
  },
  'V127-typ-required': {
    deviation: 'requires typ in credentials',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: `{+if (isMutant && jws.header.typ !== 'JWT') return malformed('it has no typ')
  +}const { vc } = jws.payload`,
  },
  'V52-type-in-any-case': {
    deviation: 'ignores the case of the type of a presentation',
    file: 'core/oid4vp/vp-token.ts',
    edit: "!type.{+map((each) => (isMutant && String(each).toLowerCase() === 'verifiablepresentation' ? 'VerifiablePresentation' : each)).+}includes('VerifiablePresentation')",
  },
}
