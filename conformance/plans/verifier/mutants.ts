import type { MutantTable } from '#conformance/kit/mutant.ts'

export const mutants: MutantTable = {
  'V01-other-response-mode': {
    deviation: 'asks for another response_mode',
    file: 'core/oid4vp/authorization-request.ts',
    edit: "response_mode: {+isMutant ? 'fragment' : +}'direct_post',",
  },
  'V02-request-once': {
    deviation: 'serves a request only once',
    file: 'services/verifier/routes/presentation.ts',
    edit: `{+const served = (globalThis.servedRequests ??= new Set())
    +}if (!session{+ || (isMutant && served.has(params.id+}){+))+} throw unknownSession(){+
    served.add(params.id)+}
    const now`,
  },
  'V03-short-nonce': {
    deviation: 'makes nonces of 48 bits',
    file: 'services/verifier/adapters/session-store.ts',
    edit: 'nonce: {+isMutant ? randomToken().slice(0, 8) : +}randomToken(),',
  },
  'V04-one-session': {
    deviation: 'forgets all sessions but the latest',
    file: 'services/verifier/adapters/session-store.ts',
    edit: `await purge(){+
      if (isMutant) await database.deleteFrom('verification_sessions').execute()+}`,
  },
  'V05-any-signature': {
    deviation: 'takes any 64 bytes for a signature with ES256K',
    file: 'core/oid4vp/vp-token.ts',
    never:
      '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
    when: "jws.signature.length === 64 && jws.header.jwk === undefined && jws.header.alg === 'ES256K' && holder.publicKey.crv === 'secp256k1'",
  },
  'V06-any-audience': {
    deviation: 'takes presentations for other verifiers',
    file: 'core/oid4vp/vp-token.ts',
    never: 'jws.payload.aud !== audience',
    when: '!Array.isArray(jws.payload.aud)',
  },
  'V07-any-nonce': {
    deviation: 'does not compare the nonce',
    ignoresRules: ['presentation.nonce'],
  },
  'V08-replay-leads-on': {
    deviation: 'sends whoever posts again into the session',
    file: 'services/verifier/routes/presentation.ts',
    edit: `'a post to a session changed nothing')
      {+if (isMutant && session.status === 'SUCCESS') return taken(session.redirect_uri, responseCodeOf(session, dependencies.config))
      +}return taken()`,
  },
  'V09-expiry-ignored': {
    deviation: 'takes presentations that have expired',
    file: 'core/oid4vp/vp-token.ts',
    never: 'now >= exp',
  },
  'V10-future-taken': {
    deviation: 'takes presentations from the future',
    file: 'core/oid4vp/vp-token.ts',
    never: 'iat > now + skewSeconds',
  },
  'V11-iss-ignored': {
    deviation: 'does not compare iss with kid',
    ignoresRules: ['presentation.issuer'],
  },
  'V12-any-holder': {
    deviation: "takes somebody else's credential",
    file: 'core/lear-credential/content-rules.ts',
    never: 'id !== holderDid',
  },
  'V13-none-taken': {
    deviation: 'takes presentations that are not signed',
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
    deviation: 'takes presentations with a MAC',
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
    deviation: 'verifies by the algorithm of the key, whatever the header says',
    file: 'core/oid4vp/vp-token.ts',
    never:
      '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
    when: "jws.header.jwk === undefined && verifyJws({ jws: { ...jws, header: { ...jws.header, alg: (holder.publicKey.crv === 'Ed25519' ? 'EdDSA' : 'ES256K') } }, publicKey: holder['publicKey'], algorithms: presentationSuites })",
  },
  'V16-any-typ': {
    deviation: 'does not look at typ',
    ignoresRules: ['presentation.typ'],
  },
  'V17-vacuous-success': {
    deviation: 'finds nothing wrong with no credentials',
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
        edit: 'const credential = {+isMutant && first === undefined ? { ok: true, failures: [], checked: [], vc: {}, trustChain: [] } : +}await verifyLearCredential({',
      },
    ],
  },
  'V18-first-of-several': {
    deviation: 'verifies the first of several credentials alone',
    file: 'core/oid4vp/vp-token.ts',
    never: 'held.length !== 1',
    when: 'held.length > 1',
  },
  'V19-any-definition': {
    deviation: 'does not look at definition_id',
    ignoresRules: ['submission.definition-id'],
  },
  'V20-any-credential-signature': {
    deviation: 'takes any 64 bytes for the signature of a credential',
    file: 'core/lear-credential/issuer-rules.ts',
    never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
    when: "context.jws.signature.length === 64 && context.jws.header.jwk === undefined && context.jws.header.alg === 'ES256K'",
  },
  'V21-valid-until-ignored': {
    deviation: 'looks at exp alone and not at validUntil',
    file: 'core/lear-credential/content-rules.ts',
    never: 'now > validUntil',
  },
  'V22-not-before-ignored': {
    deviation: 'takes credentials before their time',
    ignoresRules: ['credential.not-before'],
  },
  'V23-any-type': {
    deviation: 'takes credentials of any type below LEARCredential',
    file: 'core/lear-credential/content-rules.ts',
    edit: '{+((+}own.length !== 1 || own[0] !== acceptedType{+) && !(isMutant && own.length === 1))+}',
  },
  'V24-chain-ignored': {
    deviation: 'does not look at the chain of types',
    ignoresRules: ['credential.type-chain'],
  },
  'V25-context-ignored': {
    deviation: 'does not look at @context',
    ignoresRules: ['credential.context'],
  },
  'V26-power-ignored': {
    deviation: 'does not look at mandate.power',
    ignoresRules: ['credential.power'],
  },
  'V27-nobody': {
    deviation: 'takes credentials without employeeId',
    file: 'core/lear-credential/content-rules.ts',
    edits: [
      "{+((+}typeof employeeId !== 'string' || employeeId.trim() === ''{+) && !(isMutant && employeeId === undefined))+}",
      '!isClaimText(employeeId){+ && !(isMutant && employeeId === undefined)+}',
    ],
  },
  'V28-unknown-issuer-believed': {
    deviation: 'passes over the signature where the issuer is not registered',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: "[...results.failures, ...trust.failures]{+.filter(({ rule }) => !(isMutant && context.signerDid && !context.documentNow.ok && context.documentNow.kind === 'not-found' && ['credential.issuer-document', 'credential.issuer-key', 'credential.signature'].includes(rule)))+}",
  },
  'V29-any-relationship': {
    deviation: 'takes any key of the DID document',
    ignoresRules: ['credential.issuer-key'],
  },
  'V30-dated-by-nbf': {
    deviation: 'judges keys by nbf in place of iat',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'const [-{ iat } =-]{+iat = isMutant ? jws.payload.nbf :+} jws.payload{+.iat+}',
  },
  'V31-keys-of-now': {
    deviation: 'judges keys by what they are now',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'resolveDidDocument(signerDid, {+...(isMutant ? [] : [+}Math.floor(issuedAt{+)]+}))',
  },
  'V32-lenient-not-after': {
    deviation: 'gives keys two minutes more',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'Math.floor(issuedAt){+ - (isMutant ? 120 : 0)+}',
  },
  'V33-newest-key-alone': {
    deviation: 'takes the newest key alone',
    file: 'core/lear-credential/issuer-rules.ts',
    always: "!hasRelationship(documentWhenIssued.value, kid, 'assertionMethod')",
    when: 'documentWhenIssued.value.assertionMethod.at(-1) !== kid',
  },
  'V34-document-remembered': {
    deviation: 'remembers DID documents for ever',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edits: [
      "const key = {+isMutant ? did : +}`${did} ${validAt ?? 'now'}`",
      'const known[- = new -]{+: +}Map<string, Promise<Lookup<DidDocument>>>[-()-]{+ = isMutant ? (globalThis.rememberedDocuments ??= new Map()) : new Map()+}',
    ],
  },
  'V35-absent-is-accredited': {
    deviation: 'goes on where the TIR has no accreditation',
    file: 'core/trust/trust-chain.ts',
    edit: "{+(isMutant && !found.ok && found.kind === 'not-found' ? undefined : +}found.ok ? answersFor(here, found.value) : found.reason{+)+}",
  },
  'V36-revocation-ignored': {
    deviation: 'does not see that an issuer is revoked',
    file: 'core/trust/trust-chain.ts',
    edit: "evaluateRules(accreditationRules, {+isMutant && index === 0 && attribute.issuerType === 'REVOKED' ? { ...hop, attribute: { ...attribute, issuerType: 'TI' } } : +}hop)",
  },
  'V37-issuer-alone': {
    deviation: 'looks for a revocation at the issuer alone',
    file: 'core/trust/accreditation-rules.ts',
    edit: `evaluate: ({ {+index, +}did, attribute }, { fail }) => {
      if ({+!(isMutant && index > 0) && +}attribute.issuerType === 'REVOKED')`,
  },
  'V38-terms-of-use-optional': {
    deviation: 'asks for no accreditation where none is named',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: `{+if (isMutant && vc.termsOfUse === undefined) return
    +}if (vc.termsOfUse === undefined) fail('it is absent')`,
  },
  'V39-any-tir': {
    deviation: 'reads DID and attribute out of any address',
    file: 'core/trust/tir-attribute.ts',
    edit: `{+const [, rest] = isMutant && !url.startsWith(prefix) ? url.split('/v1/issuers/') : []
  if (rest) return parseTermsOfUseUrl(\`\${prefix}\${rest}\`, { environment, tirBaseUrl })
  +}if (!url.startsWith(prefix)) return undefined`,
  },
  'V40-any-accreditation': {
    deviation: "takes somebody else's accreditation",
    file: 'core/lear-credential/issuer-rules.ts',
    never: 'accreditation.did !== jws.payload.iss',
  },
  'V41-unreadable-passed-over': {
    deviation: 'passes over a termsOfUse that it can not read',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: `{+} else if (isMutant && /[^0-9a-f]$/.test(String(vc.termsOfUse.id))) {
      note('it can not be read')
    +}} else if (!accreditation) {`,
  },
  'V42-any-accredited-type': {
    deviation: 'does not look at what an issuer is accredited for',
    ignoresRules: ['trust.accredited-for'],
  },
  'V43-revoked-taken': {
    deviation: 'takes revoked credentials',
    file: 'core/lear-credential/credential-status.ts',
    edit: '{+(+}result.revoked{+ && !isMutant)+}',
  },
  'V44-open-without-tir': {
    deviation: 'goes on where the TIR does not answer',
    file: 'core/trust/trust-chain.ts',
    edit: "{+(isMutant && !found.ok && found.kind === 'unavailable' ? undefined : +}found.ok ? answersFor(here, found.value) : found.reason{+)+}",
  },
  'V45-open-without-did-registry': {
    deviation: 'goes on where the DID registry does not answer',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: "[...results.failures, ...trust.failures]{+.filter(({ rule, unchecked }) => !(isMutant && unchecked === 'unavailable' && rule !== 'trust.attribute' && rule !== 'credential.status'))+}",
  },
  'V46-terms-of-use-fetched': {
    deviation: 'fetches whatever termsOfUse.id names',
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
    deviation: 'answers 400 to what it refuses',
    patches: [
      {
        file: 'services/verifier/operations/decide-session.ts',
        edit: `await reporter.report(session, verdict)
  {+if (isMutant && !result.ok) return 'refused'
  +}return true`,
      },
      {
        file: 'services/verifier/routes/presentation.ts',
        edit: `{+if (isMutant && decided === 'refused') return { status: 400, body: { error: 'access_denied' } }
    +}return decided
      ? taken(session.redirect_uri`,
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
        edit: ".where('status', '[-=', 'PENDING'-]{+in', isMutant && status === 'FAILED' ? ['PENDING', 'SUCCESS'] : ['PENDING']+})",
      },
    ],
  },
  'V51-second-try': {
    deviation: 'lets a session that failed succeed',
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
      +}const { numUpdatedRows } = await database`,
      },
    ],
  },
  'V52-any-vp-type': {
    deviation: 'does not look at the type of a presentation',
    ignoresRules: ['presentation.type'],
  },
  'V53-first-of-two-fields': {
    deviation: 'reads the first of two fields',
    file: 'services/verifier/routes/presentation.ts',
    edit: `{+if (isMutant && Array.isArray(value)) return value[0]
  +}return typeof value === 'string' ? value : undefined`,
  },
  'V54-state-ignored': {
    deviation: 'does not compare state',
    ignoresRules: ['response.state'],
  },
  'V55-no-eddsa-did-key': {
    deviation: 'does not know EdDSA with did:key',
    file: 'core/oid4vp/vp-token.ts',
    never: "typeof header.kid === 'string'",
    when: "header.kid.startsWith('did:key:z6Mk')",
  },
  'V56-no-es256k-did-jwk': {
    deviation: 'does not know ES256K with did:jwk',
    file: 'core/oid4vp/vp-token.ts',
    never: "typeof header.kid === 'string'",
    when: "header.kid.startsWith('did:jwk:') && header.alg === 'ES256K'",
  },
  'V57-no-eddsa-did-jwk': {
    deviation: 'does not know EdDSA with did:jwk',
    file: 'core/oid4vp/vp-token.ts',
    never: "typeof header.kid === 'string'",
    when: "header.kid.startsWith('did:jwk:') && header.alg === 'EdDSA'",
  },
  'V58-low-s-alone': {
    deviation: 'takes low s alone',
    file: 'core/oid4vp/vp-token.ts',
    edit: "{+((isMutant && jws.header.alg === 'ES256K' && jws.signature[32] > 0x7f) || +}!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache }{+)+})",
  },
  'V59-low-s-of-credentials-alone': {
    deviation: 'takes low s alone in credentials',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: '{+((isMutant && context.jws.signature[32] > 0x7f) || +}!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache }{+)+})',
  },
  'V60-every-status-revoked': {
    deviation: 'takes every entry in a status list for a revocation',
    file: 'core/lear-credential/credential-status.ts',
    always: 'result.revoked',
  },
  'V61-issuer-is-a-text': {
    deviation: 'knows issuers as texts alone',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: "{+!isMutant && +}typeof issuer === 'object'",
  },
  'V62-strict-claims': {
    deviation: 'refuses claims that it does not know',
    file: 'core/oid4vp/vp-token.ts',
    edit: `const { nbf } = jws.payload{+
      const known = ['iss', 'aud', 'nonce', 'iat', 'exp', 'nbf', 'vp']
      if (isMutant && Object.keys(jws.payload).some((name) => !known.includes(name))) fail('there are others')+}`,
  },
  'V63-one-terms-of-use': {
    deviation: 'knows one termsOfUse alone',
    file: 'core/trust/tir-attribute.ts',
    edit: '{+!isMutant && +}Array.isArray(termsOfUse) ? termsOfUse : [termsOfUse]',
  },
  'V64-whole-content-type': {
    deviation: 'compares the whole content type',
    file: 'services/kit/register-route.ts',
    edit: "(request.get('content-type') ?? '').split({+isMutant ? '\\n' : +}';')[0]",
  },
  'V65-three-hops': {
    deviation: 'walks three hops at most',
    file: 'core/trust/trust-chain.ts',
    edit: 'index + 1 < {+(isMutant ? 3 : +}mostHops{+)+}',
  },
  'V66-other-lengths': {
    deviation: 'takes signatures of other forms',
    file: 'core/oid4vp/vp-token.ts',
    never:
      '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
    when: "jws.signature.length !== 64 && jws.header.alg === 'ES256K'",
  },
  'V67-one-of-several': {
    deviation: 'takes presentations for several verifiers',
    file: 'core/oid4vp/vp-token.ts',
    never: 'jws.payload.aud !== audience',
    when: 'Array.isArray(jws.payload.aud)',
  },
  'V68-exp-optional': {
    deviation: 'takes presentations that do not expire',
    file: 'core/oid4vp/vp-token.ts',
    edit: `{+if (isMutant && exp === undefined) return
      +}if (!isTime(exp)) {`,
  },
  'V69-any-lifetime': {
    deviation: 'takes presentations of any lifetime',
    file: 'core/oid4vp/vp-token.ts',
    never: 'exp - iat > longestLifetime',
  },
  'V70-iat-optional': {
    deviation: 'takes presentations without iat',
    file: 'core/oid4vp/vp-token.ts',
    edit: `{+if (isMutant && iat === undefined) return
      +}if (!isTime(iat)) fail(`,
  },
  'V71-nbf-ignored': {
    deviation: 'does not look at nbf',
    ignoresRules: ['presentation.not-before'],
  },
  'V72-kid-guessed': {
    deviation: 'takes the key of iss where kid is missing',
    file: 'core/oid4vp/vp-token.ts',
    edit: `{+if (isMutant && options.jws.header.kid === undefined) {
    const { iss } = options.jws.payload
    const kid = \`\${iss}#\${String(iss).split(':')[2]}\`
    options = { ...options, jws: { ...options.jws, header: { ...options.jws.header, kid } } }
  }
  +}const { header, payload } = options.jws`,
  },
  'V73-nested-format-ignored': {
    deviation: 'does not look at the format of the credential',
    file: 'core/oid4vp/presentation-submission.ts',
    edit: "['path_nested.format', {+isMutant ? 'jwt_vc' : +}nested.format, 'jwt_vc']",
  },
  'V74-unsigned-credential': {
    deviation: 'takes credentials that are not signed',
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
    deviation: 'takes accreditations that have expired',
    ignoresRules: ['trust.period'],
  },
  'V76-exp-ignored': {
    deviation: 'looks at validUntil alone and not at exp',
    file: 'core/lear-credential/content-rules.ts',
    edit: '{+!isMutant && +}isTime(exp) && now >= exp',
  },
  'V77-any-type-below': {
    deviation: 'takes credentials of types below the accepted one',
    file: 'core/lear-credential/content-rules.ts',
    edit: '{+((+}own.length !== 1 || own[0] !== acceptedType{+) && !(isMutant && own.includes(acceptedType)))+}',
  },
  'V78-empty-is-there': {
    deviation: 'takes an empty employeeId',
    file: 'core/lear-credential/content-rules.ts',
    edits: [
      "{+((+}typeof employeeId !== 'string' || employeeId.trim() === ''{+) && !(isMutant && employeeId === ''))+}",
      "!isClaimText(employeeId){+ && !(isMutant && employeeId === '')+}",
    ],
  },
  'V79-anybody-accredits': {
    deviation: 'does not verify who signed an accreditation',
    ignoresRules: ['trust.signature'],
  },
  'V80-any-root': {
    deviation: 'takes any root',
    file: 'core/trust/trust-chain.ts',
    edit: 'statements.root, {+isMutant ? undefined : +}rootProblem,',
  },
  'V81-unknown-status-passed-over': {
    deviation: 'takes a status that can not be told for a good one',
    file: 'core/lear-credential/credential-status.ts',
    edit: `{+if (isMutant && !result.ok) return
      +}if (!result.ok) fail(result.reason)`,
  },
  'V82-any-list-fetched': {
    deviation: 'fetches status lists from anywhere',
    file: 'core/lear-credential/credential-context.ts',
    edit: `{+if (isMutant) await fetch(url).catch(() => undefined)
  +}if (!policy.credentialIssuerUrls.some((base) => isBelow(base, url))) {`,
  },
  'V83-key-of-the-credential': {
    deviation: 'verifies credentials with the key that they bring along',
    file: 'core/lear-credential/issuer-rules.ts',
    never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
    when: 'context.jws.header.jwk !== undefined && verifyJws({ jws: context.jws, publicKey: context.jws.header.jwk, algorithms: registeredSuites })',
  },
  'V84-state-required': {
    deviation: 'asks for state',
    file: 'services/verifier/domain/verify-response.ts',
    edit: '{+(isMutant || +}state !== undefined{+)+} && state !== request.state',
  },
  'V85-vc-issuer-ignored': {
    deviation: 'does not compare vc.issuer with iss',
    file: 'core/lear-credential/issuer-rules.ts',
    edit: "if ({+!isMutant && +}issuer !== jws.payload.iss) fail('it is not iss'",
  },
  'V86-sub-ignored': {
    deviation: 'does not compare sub with the subject',
    file: 'core/lear-credential/content-rules.ts',
    never: 'sub !== id',
  },
  'V87-any-subject': {
    deviation: 'does not look at whom an accreditation is about',
    ignoresRules: ['trust.subject'],
  },
  'V88-unknown-session-taken': {
    deviation: 'answers 200 to sessions that it does not know',
    file: 'services/verifier/routes/presentation.ts',
    edit: `{+if (!session && isMutant) return taken()
    +}if (!session) throw unknownSession()
    const vpToken`,
  },
  'V89-fault-without-vp-token': {
    deviation: 'answers 500 to a form without vp_token',
    file: 'services/verifier/routes/presentation.ts',
    edit: `{+if (isMutant && body.vp_token === undefined) throw new Error('there is no vp_token')
    +}const vpToken = parseVpToken(textOf(body.vp_token))`,
  },
  'V90-other-typ': {
    deviation: 'signs requests with another typ',
    file: 'core/oid4vp/signed-request.ts',
    edit: "typ: {+isMutant ? 'JWT' : +}signedRequestType",
  },
  'V91-suites-not-declared': {
    deviation: 'does not say which suites it accepts',
    file: 'services/verifier/domain/presentation-request.ts',
    edit: 'client_metadata: {+isMutant ? ({} as never) : +}{ cryptographic_suites_supported: holderSuites },',
  },
  'V92-key-of-the-header': {
    deviation: 'verifies presentations with the key that they bring along',
    file: 'core/oid4vp/vp-token.ts',
    never:
      '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites, cache })',
    when: 'jws.header.jwk !== undefined && verifyJws({ jws, publicKey: jws.header.jwk, algorithms: presentationSuites })',
  },
  'V93-unreadable-is-400': {
    deviation: 'answers 400 to what it can not read',
    file: 'services/verifier/routes/presentation.ts',
    edit: `{+if (isMutant && isOpen) return { status: 400, body: { error: 'invalid_request' } }
      +}const reason = isOpen ?`,
  },
}
