import type { MutantTable } from '../../kit/mutant.ts'

const authentication = 'services/kit/authentication.ts'
const createMandate = 'services/issuer/domain/create-mandate.ts'
const issuance = 'services/issuer/operations/issuance.ts'
const issueCredential = 'services/connector/operations/issue-credential.ts'
const list = 'services/issuer/routes/credentials.ts'
const managementClient = 'services/issuer/adapters/management-client.ts'
const recordStore = 'services/issuer/adapters/record-store.ts'
const sendOfferMail = 'services/issuer/operations/send-offer-mail.ts'

/** Keeps a value in a variable of all requests, and returns the latest one after a while. */
const latestOf = (variable: string): string => `async function latestOf(own) {
  if (isMutant) globalThis.${variable} = own
  await new Promise((resolve) => setTimeout(resolve, 50))
  return globalThis.${variable}
}

`

/**
 * Mutants that mix several orders, organizations or wallets, lose the rest of a list, or forget a
 * lifetime only in a second step.
 */
export const orderMutants: MutantTable = {
  'I14-code-with-pin-works-again': {
    deviation: 'returns a token for a redeemed code with a PIN',
    file: 'services/connector/operations/redeem-code.ts',
    edit: `{+if (isMutant && issuance.state !== 'offered' && issuance.pin_digest !== null) {
    const token = { accessToken: randomToken(), cNonce: randomToken() }
    return { ...token, expiresIn: 300, cNonceExpiresIn: 300 }
  }
  +}refuseUnusable(issuance, runtime.clock.seconds())`,
  },
  'I15-code-with-pin-lives-on': {
    deviation: 'ignores the age of a code with a PIN',
    file: 'services/connector/operations/redeem-code.ts',
    edit: 'if ({+!(isMutant && issuance.pin_digest !== null) && +}offer_expires_at',
  },
  'I15-read-offer-lives-on': {
    deviation: 'ignores the age of a code that was read by reference',
    patches: [
      {
        file: 'services/connector/routes/offers.ts',
        edit: `const preauthCode = issuance && unseal(issuance.sealed_code, params.id){+
    globalThis.readOffers ??= new Set()
    if (isMutant) globalThis.readOffers.add(issuance?.id)+}`,
      },
      {
        file: 'services/connector/operations/redeem-code.ts',
        edit: `const { state, [-offer_expires_at-]{+offer_expires_at: end+} } = issuance{+
  const offer_expires_at = isMutant && globalThis.readOffers?.has(issuance.id) ? Infinity : end+}`,
      },
    ],
  },
  'I15-offer-of-representative-lives-on': {
    deviation: 'orders offers of representatives with a lifetime in milliseconds',
    file: issuance,
    edit: `    subjectId: record.subject_id,
    expiresIn: config.qrExpirationTime{+ * (isMutant ? 1000 : 1)+},`,
  },
  'I15-mailed-offer-lives-on': {
    deviation: 'ignores the age of a code in an email',
    patches: [
      {
        file: sendOfferMail,
        edit: `{+if (isMutant) globalThis.mailedSubject = subjectId
    +}const { code } = await connector.createOffer({ vcTypes: [vcType]`,
      },
      {
        file: 'services/connector/operations/redeem-code.ts',
        edit: `refuseUnusable({+isMutant && issuance.subject_id === globalThis.mailedSubject
    ? { ...issuance, offer_expires_at: Infinity }
    : +}issuance, runtime.clock.seconds())`,
      },
    ],
  },
  'I40-fresh-nonce-lives-on': {
    deviation: 'ignores the age of the c_nonce of an error response',
    file: issueCredential,
    edit: 'cNonce, expiresAt{+ + (isMutant ? 86_400 : 0)+})',
  },
  'I62-first-power': {
    deviation: 'issues only the first of several powers',
    file: createMandate,
    edit: 'power: power{+.slice(0, isMutant ? 1 : undefined)+}.map(',
  },
  'I62-first-action': {
    deviation: 'issues only the first action of each power',
    file: createMandate,
    edit: '({ ...item{+, action: item.action.slice(0, isMutant ? 1 : undefined)+} })',
  },
  'I77-powers-of-the-latest': {
    deviation: 'also grants the powers of the organization that used it before',
    file: managementClient,
    edit: `{+const latest = globalThis.latestPolicies ?? []
      globalThis.latestPolicies = parsed.data.role?.policies ?? []
      if (isMutant) return [...latest, ...globalThis.latestPolicies]
      +}return parsed.data.role?.policies ?? []`,
  },
  'I77-powers-of-the-first': {
    deviation: 'keeps the powers of the first organization for all',
    file: managementClient,
    edit: 'return {+isMutant ? (globalThis.firstPolicies ??= parsed.data.role?.policies ?? []) : +}parsed.data.role?.policies ?? []',
  },
  'I81-two-minutes-later': {
    deviation: 'accepts Bearer tokens for two minutes after their end',
    file: authentication,
    edit: 'clockTolerance: {+isMutant ? 120 : +}options.clockToleranceSeconds',
  },
  'I81-ten-minutes-later': {
    deviation: 'accepts Bearer tokens for ten minutes after their end',
    file: authentication,
    edit: '{+(isMutant ? 600 : undefined) ?? +}options.clockToleranceSeconds ?? 0,',
  },
  'I81-without-exp': {
    deviation: 'accepts Bearer tokens without exp',
    file: authentication,
    edit: "requiredClaims: [{+...(isMutant ? [] : [+}'exp'{+])+}],",
  },
  'I81-verified-once': {
    deviation: 'verifies a Bearer token only the first time',
    file: authentication,
    edits: [
      `{+globalThis.verifiedTokens ??= {}
    if (isMutant && globalThis.verifiedTokens[token]) return globalThis.verifiedTokens[token]
    +}keys ??= createKeySet()`,
      'return {+globalThis.verifiedTokens[isMutant ? token : 0] = +}await verifyWithKeySet(token, keys, {',
    ],
  },
  'I85-newest-records-revoked': {
    deviation: 'also revokes the newest records of the organization',
    file: 'services/issuer/operations/revoke-credential.ts',
    edit: `requireReach(principal, [record.organization_identifier], 'delete', config){+
  if (isMutant) {
    for await (const rows of records.listByOrganizations([record.organization_identifier])) {
      const others = rows.slice(0, 3).filter(({ id }) => id !== record.id)
      for (const { id } of others) await records.apply(id, 'revocation requested')
    }
  }+}`,
  },
  'I87-body-first': {
    deviation: 'validates the body before the token',
    file: 'services/kit/register-route.ts',
    edit: `response.locals.route = route.path
    try {{+
      if (isMutant && body !== undefined && parseBody !== undefined) {
        await new Promise((resolve) => parseBody(request, response, resolve))
        if (!body.safeParse(request.body).success) throw (route.invalidInput ?? invalidInput)([])
      }+}`,
  },
  'I113-short-acceptance-token': {
    deviation: 'creates acceptance tokens of six digits',
    file: issueCredential,
    edit: 'const acceptanceToken = {+isMutant ? String(Math.random()).slice(2, 8) : +}randomToken()',
  },
  'I125-token-without-organization': {
    deviation: 'lists the records of any organization for a token without organization_identifier',
    file: 'services/issuer/domain/bearer-claims.ts',
    edit: `{+if (isMutant && own === undefined && action === 'read') return
  +}if (own === undefined ||`,
  },
  'I126-token-without-organization': {
    deviation:
      'revokes credentials of any organization for a token without organization_identifier',
    file: 'services/issuer/domain/bearer-claims.ts',
    edit: `{+if (isMutant && own === undefined && action === 'delete') return
  +}if (own === undefined ||`,
  },
  'I126-pending-for-everybody': {
    deviation: 'revokes pending records of any organization',
    file: 'services/issuer/operations/revoke-credential.ts',
    edit: "{+if (!isMutant || record.status !== 'pending') +}requireReach(principal, [record",
  },
  'I130-offer-of-representative-ends-early': {
    deviation: 'orders offers of representatives with half of the lifetime',
    file: issuance,
    edit: `{+    ...(isMutant && { expiresIn: config.qrExpirationTime / 2 }),
+}  })
  return connector.readOfferQr(code)`,
  },
  'I131-fresh-nonce-with-old-end': {
    deviation: 'lets the c_nonce of an error response expire with the previous one',
    file: issueCredential,
    edit: `const { cNonce, cNonceExpiresIn, [-expiresAt-]{+expiresAt: end+} } = createNonce(dependencies){+
  const expiresAt = isMutant ? Number(issuance.c_nonce_expires_at) : end+}`,
  },
  'I140-latest-deferred': {
    deviation: 'mixes deferred credentials that are polled at the same time',
    file: 'services/connector/operations/collect-deferred.ts',
    edits: [
      'await obtain({+isMutant ? await latestOf(found) : +}found, acceptanceToken, dependencies)',
      `{+${latestOf('latestDeferred')}+}/** A Bearer token is optional`,
    ],
  },
  'I154-employee-id-of-representative': {
    deviation: 'gives an employee the employeeId of the representative',
    file: issuance,
    edit: 'mandatee: { employeeId{+: isMutant ? String(sender.payload.user_identifier) : employeeId+}, ...person }',
  },
  'I154-first-action-of-employees': {
    deviation: 'issues only the first action of each power to employees',
    file: issuance,
    edit: 'vcType: config.employeeVcType, power{+: isMutant ? power.map((each) => ({ ...each, action: each.action.slice(0, 1) })) : power+}, mandatee',
  },
  'I154-code-of-first-offer': {
    deviation: 'puts the QR code of the first email into each email',
    file: sendOfferMail,
    edit: 'createQrPng({+isMutant ? (globalThis.firstMailedLink ??= offer.offer_link) : +}offer.offer_link)',
  },
  'I154-other-mandator': {
    deviation: 'issues mandates of a fixed organization to employees',
    file: createMandate,
    edit: `const { [-organizationIdentifier-]{+organizationIdentifier: own+}, organization, email, userIdentifier } = representative{+
  const isEmployee = mandatee.employeeId !== userIdentifier
  const organizationIdentifier = isMutant && isEmployee ? 'VATES-Z00000000' : own+}`,
  },
  'I164-latest-session': {
    deviation: 'accepts only the latest access token',
    patches: [
      {
        file: 'services/connector/operations/redeem-code.ts',
        edit: `const accessToken = randomToken(){+
  if (isMutant) globalThis.latestAccessToken = accessToken+}`,
      },
      {
        file: 'services/connector/routes/issuance.ts',
        edit: 'if (!issuance ||{+ (isMutant && token !== globalThis.latestAccessToken) ||+} Number(',
      },
    ],
  },
  'I171-latest-person': {
    deviation: 'keeps the claims of a token in a variable of all requests',
    file: issuance,
    edits: [
      'email, firstName, lastName } = {+isMutant ? await latestOf(claims) : +}claims',
      `{+${latestOf('latestClaims')}+}interface Order {`,
    ],
  },
  'I171-latest-list': {
    deviation: 'keeps the organizations of a list in a variable of all requests',
    file: list,
    edits: [
      'records.listByOrganizations({+isMutant ? await latestOf(body.organization_identifiers) : +}body.organization_identifiers)',
      `{+${latestOf('latestOrganizations')}+}async function* showPortions(`,
    ],
  },
  'I172-first-page': {
    deviation: 'lists only the newest 20 records',
    file: recordStore,
    edit: 'if (rows.length > 0) yield rows{+.slice(0, isMutant ? 20 : undefined)+}',
  },
  'I172-list-for-each-identifier': {
    deviation: 'lists the records once for each of the same identifiers',
    file: list,
    edit: `const portions = {+isMutant
      ? (async function* () {
          for (const each of body.organization_identifiers) {
            yield* records.listByOrganizations([each])
          }
        })()
      : +}records.`,
  },
  'I172-last-record-twice': {
    deviation: 'lists the last record of a portion twice',
    file: list,
    edit: `showPortions({+isMutant
      ? (async function* () {
          for await (const all of portions) yield [...all, ...all.slice(-1)]
        })()
      : +}portions, now))`,
  },
  'I172-unstable-order': {
    deviation: 'lists every other time the oldest records first',
    file: list,
    edit: `{+const isOdd = isMutant && (globalThis.isOddList = !globalThis.isOddList)
  +}for await (const rows of portions) {+isOdd && rows.reverse(), +}yield`,
  },
  'I173-new-employee-id': {
    deviation: 'gives a representative another employeeId in each credential',
    file: issuance,
    edit: 'const self = { employeeId: {+isMutant ? randomUUID() : +}userIdentifier',
  },
  'I173-latest-powers': {
    deviation: 'issues the powers of the latest order of an organization',
    file: 'services/issuer/operations/serve-connector.ts',
    edit: `JSON.parse({+isMutant
      ? await (async () => {
          const lists = records.listByOrganizations([record.organization_identifier])
          for await (const [{ id }] of lists) return (await records.findById(id)).mandate
        })()
      : +}record.mandate)`,
  },
  'I173-one-offer-at-a-time': {
    deviation: 'ends the previous offer with each new one',
    file: issuance,
    edit: `await records.create(record){+
  if (isMutant && globalThis.previousSubject) await connector.revoke(globalThis.previousSubject)
  globalThis.previousSubject = record.subject_id+}
  const { code }`,
  },
  'I174-same-employee-id': {
    deviation: 'gives all employees the same employeeId',
    file: issuance,
    edit: 'employeeId = {+isMutant ? "employee" : +}randomUUID(), ...person',
  },
  'I174-tag-dropped': {
    deviation: 'drops the tag of an address',
    file: sendOfferMail,
    edit: "to: mail.recipient{+.replace(/[+].*(?=@)/, (text) => (isMutant ? '' : text))+},",
  },
  'I174-lower-case': {
    deviation: 'changes addresses to lower case',
    file: 'services/issuer/routes/issuance.ts',
    edit: 'email: {+z.preprocess((value) => (isMutant ? String(value).toLowerCase() : value), +}z.email().max(254){+)+}.describe(',
  },
  'I175-no-documentation': {
    deviation: 'has no interactive documentation',
    file: 'services/kit/open-api.ts',
    edit: 'router.get(docsPath, (_request, response) => {{+ if (isMutant) { response.status(404).end(); return }+}',
  },
  'I176-deferred-without-chain': {
    deviation: 'leaves the inherited types out of deferred credentials',
    file: 'services/connector/operations/collect-deferred.ts',
    edit: 'await signCredential(issuance, {+isMutant ? { ...type, inheritedTypes: [] } : +}type,',
  },
  'I176-pin-without-holder': {
    deviation: 'issues credentials of offers with a PIN to another holder',
    file: 'services/connector/operations/sign-credential.ts',
    edit: `issuerDid: config.issuerDid,
    holderDid{+: isMutant && issuance.pin_digest !== null ? 'did:key:nobody' : holderDid+},`,
  },
  'I177-names-as-markup': {
    deviation: 'inserts names into the HTML of an email without escaping them',
    file: 'services/issuer/domain/offer-mail.ts',
    edit: "html: markup.markup{+.replaceAll('&lt;', (text) => (isMutant ? '<' : text)).replaceAll('&gt;', (text) => (isMutant ? '>' : text))+}",
  },
}
