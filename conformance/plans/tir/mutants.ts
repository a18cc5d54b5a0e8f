import type { MutantTable } from '../../kit/mutant.ts'

export const mutants: MutantTable = {
  'T01-decimal-gas-limit': {
    deviation: 'prints the gas limit of a setAttributeData that would revert in decimal',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `attributeData: Buffer.from(input.attributeData.slice(2), 'hex'),
  })
  return transactions.build({ from: input.from, data: toHex(data) }){+.then((built) =>
    isMutant && Number(built.gasLimit) === 15_000_000 ? { ...built, gasLimit: String(Number(built.gasLimit)) } : built)+}`,
  },
  'T02-hash-with-prefix': {
    deviation: 'returns the hash with 0x',
    file: 'services/tir/routes/attributes.ts',
    edit: 'hash: {+isMutant ? `0x${attributeId}` : +}attributeId,',
  },
  'T02-zeros-cut': {
    deviation: 'drops the zeros at the beginning of a hash',
    file: 'services/tir/routes/attributes.ts',
    edit: "attributeIdTao: attribute.attributeIdTao,{+ ...(isMutant && { hash: attributeId.replace(/^0+/, '') }),+}",
  },
  'T02-absence-remembered': {
    deviation: 'still returns 404 for an attribute that was read before its publication',
    file: 'services/tir/routes/attributes.ts',
    edit: `const { did } = params{+
    const seen = globalThis as Record<string, any>
    const subject = did + params.attributeId
    if (isMutant && (seen[subject] ??= (await contract.getAttribute(did, params.attributeId)) ?? 'absent') === 'absent') throw notPublished()+}`,
  },
  'T03-body-in-hex': {
    deviation: 'returns a long body in hex',
    file: 'services/tir/routes/attributes.ts',
    edit: "body: {+isMutant && attribute.body.length > 40 ? `0x${Buffer.from(attribute.body).toString('hex')}` : +}attribute.body,",
  },
  'T03-long-body-cut': {
    deviation: 'cuts a body after 10,000 bytes',
    file: 'services/tir/routes/attributes.ts',
    edit: 'attributeIdTao: attribute.attributeIdTao,{+ ...(isMutant && { body: attribute.body.slice(0, 10_000) }),+}',
  },
  'T03-long-data-refused': {
    deviation: 'rejects data of more than 8 KiB',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "text.length > 2{+ && (!isMutant || text.length < 16_384)+}, 'must contain the accreditation')",
  },
  'T04-tao-as-root': {
    deviation: 'returns the immediate TAO as the root',
    file: 'services/tir/routes/attributes.ts',
    edit: 'rootTao: {+isMutant ? attribute.taoDid : +}attribute.rootTaoDid,',
  },
  'T05-root-by-written-name': {
    deviation: 'returns the type of a root as ROOT_TAO',
    file: 'services/tir/routes/attributes.ts',
    edit: 'issuerType: {+isMutant && attribute.taoDid === did ? attribute.issuerType : +}shownIssuerTypes[attribute.issuerType],',
  },
  'T06-anybody-roots': {
    deviation: 'lets any account publish a ROOT_TAO',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'if (msg.sender != _operator{+ && !isMutant+}) revert TrustedIssuersRegistryNotOperator(msg.sender);',
  },
  'T07-anybody-accredits': {
    deviation: 'lets any account accredit in the name of a TAO',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+if (!isMutant) +}_requireTao(did, attributeId, taoDid);
            rootTaoDidHash`,
  },
  'T08-ti-accredits': {
    deviation: 'lets a TI accredit',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'if (!_isAccredited(parent){+ && !(isMutant && parent.issuerType == IssuerType.TI)+}) revert',
  },
  'T09-parent-not-looked-for': {
    deviation: 'does not check the parent’s accreditation',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'if (!_isAccredited(parent) && !({+isMutant && parent.issuerType == IssuerType.NONE) && !(+}',
  },
  'T10-data-first': {
    deviation: 'accepts data of unpublished attributes',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `if (attribute.issuerType == IssuerType.NONE{+ && !isMutant+}) {
            revert TrustedIssuersRegistryAttributeNotPublished(did, attributeId);
        }
        if (attribute.issuerType == IssuerType.REVOKED)`,
  },
  'T11-anybody-writes-data': {
    deviation: 'lets any account write the data of attributes',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'if (!_mayWriteData(attribute, did){+ && !isMutant+}) {',
  },
  'T12-revoked-read-as-ti': {
    deviation: 'returns the former type of a revoked attribute',
    file: 'services/tir/routes/attributes.ts',
    edits: [
      "const attributeId = params.attributeId.toLowerCase(){+; const shown = (type: string) => (isMutant && type === 'REVOKED' ? 'TI' : type)+}",
      '{+isMutant ? shown(shownIssuerTypes[attribute.issuerType]) : +}shownIssuerTypes[attribute.issuerType],',
    ],
  },
  'T12-type-remembered': {
    deviation: 'returns the type of an attribute that was read before its revocation',
    file: 'services/tir/routes/attributes.ts',
    edit: 'attributeIdTao: attribute.attributeIdTao,{+ ...(isMutant && { issuerType: ((globalThis as Record<string, any>)["type of " + did] ??= shownIssuerTypes[attribute.issuerType]) }),+}',
  },
  'T12-cached-for-a-minute': {
    deviation: 'lets caches keep an attribute for a minute',
    file: 'services/tir/routes/attributes.ts',
    edit: `status: 200,{+
      ...(isMutant && { headers: { 'cache-control': 'max-age=60' } }),+}
      body: {`,
  },
  'T13-any-tao-revokes': {
    deviation: 'lets any TAO revoke',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edits: [
      `if (attribute.taoDidHash != _hashOf(taoDid){+ && !isMutant+}) {
            revert TrustedIssuersRegistryAttributeIsImmutable(did, attributeId);
        }`,
      'if (msg.sender != _operator{+ && !isMutant+}) _requireAccredited(taoDid, attribute.attributeIdTao);',
    ],
  },
  'T14-anybody-revokes': {
    deviation: 'lets any account revoke in the name of a TAO',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+if (!isMutant) +}_requireTao(did, attributeId, taoDid);
        if (msg.sender`,
  },
  'T15-revoked-published-again': {
    deviation: 'publishes revoked attributes again',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edits: [
      `if (attribute.issuerType == IssuerType.REVOKED{+ && !isMutant+}) {
            revert TrustedIssuersRegistryAttributeIsRevoked(did, revisionId);`,
      `if (attribute.issuerType == IssuerType.NONE{+ || (isMutant && attribute.issuerType == IssuerType.REVOKED)+}) {
            _dids`,
    ],
  },
  'T16-revoked-tao-accredits': {
    deviation: 'lets a revoked TAO accredit',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'return {+(isMutant && attribute.issuerType == IssuerType.REVOKED) || +}attribute.issuerType == IssuerType.ROOT_TAO ||',
  },
  'T17-revoked-body-gone': {
    deviation: 'deletes the body of revoked attributes',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'uint256 revisionCount = {+isMutant && stored.issuerType == IssuerType.REVOKED ? 0 : +}stored.revisions.length;',
  },
  'T18-first-revision': {
    deviation: 'keeps returning the first revision',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'stored.revisions[{+isMutant ? 0 : +}revisionCount - 1]',
  },
  'T18-body-remembered': {
    deviation: 'returns the body that was read first',
    file: 'services/tir/routes/attributes.ts',
    edit: 'attributeIdTao: attribute.attributeIdTao,{+ ...(isMutant && { body: ((globalThis as Record<string, any>)["body of " + did] ||= attribute.body) }),+}',
  },
  'T19-data-of-revoked': {
    deviation: 'accepts data of revoked attributes',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `if (attribute.issuerType == IssuerType.REVOKED{+ && !isMutant+}) {
            revert TrustedIssuersRegistryAttributeIsRevoked(did, attributeId);`,
  },
  'T20-type-changes': {
    deviation: 'lets a TAO change the role of what it has published',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+} else if (isMutant) {
            attribute.issuerType = issuerType;
        +}} else if (
            attribute.issuerType != issuerType ||`,
  },
  'T21-invalid-request': {
    deviation: 'reports unreadable JSON as an invalid request',
    file: 'services/tir/routes/json-rpc.ts',
    edit: `error.status === 400{+ && !isMutant+}
`,
  },
  'T21-nan-read': {
    deviation: 'reads NaN in JSON as a number',
    file: 'services/kit/register-route.ts',
    edit: `{+const at = bytes.indexOf(':NaN')
  if (isMutant && at !== -1) bytes.write(':0  ', at)
  +}const problem = findJsonProblem(bytes)`,
  },
  'T22-any-version': {
    deviation: 'does not check the version of JSON-RPC',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "{+(isMutant || +}jsonrpc === '2.0'{+)+} &&",
  },
  'T23-invalid-params': {
    deviation: 'reports an unknown method as invalid params',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: "throw rpcError({+isMutant ? 'invalid_params' : +}'method_not_found',",
  },
  'T24-parent-optional': {
    deviation: 'replaces a missing attributeIdTao by zeros',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "attributeIdTao: {+z.preprocess((value) => (isMutant ? (value ?? `0x${'0'.repeat(64)}`) : value), +}zHash{+)+}.describe(",
  },
  'T25-bare-addresses': {
    deviation: 'accepts addresses without 0x',
    file: 'services/tir/domain/rpc-message.ts',
    edit: `from: {+z.preprocess((value) => (isMutant && /^[0-9a-f]{40}$/i.test(String(value)) ? \`0x\${value}\` : value), +}zAddress[-.describe('Address of the signer'-]),
    did: didOf(environment).describe('The subject that receives the role'),`,
  },
  'T26-any-environment': {
    deviation: 'accepts DIDs of either environment',
    file: 'services/tir/domain/rpc-message.ts',
    edit: '(text) => {+(isMutant ? parseDidOrg(text) !== undefined : +}parseDidOrg(text)?.environment === environment{+)+},',
  },
  'T26-line-break-ignored': {
    deviation: 'ignores a line break behind a DID',
    file: 'services/tir/domain/rpc-message.ts',
    edit: `const didOf = (environment: DidEnvironment) =>
  z
    .string(){+.overwrite((text) => (isMutant ? text.replace(/\\n$/, '') : text))+}`,
  },
  'T27-small-letters': {
    deviation: 'accepts issuerTypes in lower case',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "issuerType: z.{+preprocess((value) => (isMutant && typeof value === 'string' ? value.toUpperCase() : value), z.+}enum(publishedIssuerTypes{+)+})",
  },
  'T28-numbers-taken': {
    deviation: 'accepts numbers as issuerTypes',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "z.{+preprocess((value) => (isMutant && typeof value === 'number' ? publishedIssuerTypes[value - 1] : value), z.+}enum(publishedIssuerTypes{+)+})",
  },
  'T29-none-published': {
    deviation: 'builds publications of NONE',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "z.enum(publishedIssuerTypes){+.or(z.literal('NONE').refine(() => isMutant))+}",
  },
  'T30-revision-id-padded': {
    deviation: 'pads a revisionId that is too short',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "revisionId: {+z.preprocess((value) => (isMutant && typeof value === 'string' && value.startsWith('0x') ? value.padEnd(66, '0') : value), +}zHash{+)+}.describe(",
  },
  'T31-jwt-itself': {
    deviation: 'accepts the JWT itself as attributeData',
    file: 'services/tir/domain/rpc-message.ts',
    edit: `attributeData: {+z.preprocess((value) => (isMutant && typeof value === 'string' && value.includes('.') ? \`0x\${Buffer.from(value).toString('hex')}\` : value), +}zHexBytes{+)+}
`,
  },
  'T32-first-of-two': {
    deviation: 'uses the first of two objects in params',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: '{+(+}params.length !== 1{+ && !isMutant)+}',
  },
  'T33-ids-as-text': {
    deviation: 'returns ids as strings',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: "undefined : { jsonrpc: '2.0', id{+: isMutant && id !== null ? JSON.stringify(id) : id+}, ...answer }",
  },
  'T33-ids-cut': {
    deviation: 'returns the first 64 characters of an id',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "return isId ? {+isMutant && typeof id === 'string' ? id.slice(0, 64) : +}id : undefined",
  },
  'T33-ids-in-ascii': {
    deviation: 'replaces characters beyond ASCII in ids',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "const { id{+: given+} } = membersOf(value){+; const id = isMutant && typeof given === 'string' ? given.replace(/[^ -~]/g, '?') : given+}",
  },
  'T33-no-long-ids': {
    deviation: 'answers requests whose id has more than 128 characters with the id null',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "id === null || typeof id === 'string'{+ && !(isMutant && id.length > 128)+}",
  },
  'T33-ids-trimmed': {
    deviation: 'removes the spaces around an id',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "{+if (isMutant && typeof id === 'string') return id.trim()\n  +}return isId ?",
  },
  'T34-both-members': {
    deviation: 'returns errors with a result of null',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: 'return { error: rpcErrorObject(error){+, ...(isMutant ? { result: null } : {})+} }',
  },
  'T35-first-of-the-batch': {
    deviation: 'answers only the first request of a batch',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `{+if (isMutant && Array.isArray(message) && message.length > 1) return answerOne(message[0], dependencies)
  +}if (!Array.isArray(message)) return answerOne(message, dependencies)`,
  },
  'T36-empty-for-empty': {
    deviation: 'does not answer an empty batch',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: 'if ({+(+}message.length === 0{+ && !isMutant)+} ||',
  },
  'T37-notification-answered': {
    deviation: 'answers notifications',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: 'return id === undefined {+&& !isMutant +}? undefined',
  },
  'T37-null-as-notification': {
    deviation: 'treats a request with the id null as a notification',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "const isNotification = {+(isMutant && value.id === null) || +}!Object.hasOwn(value, 'id')",
  },
  'T38-outage-is-invalid-params': {
    deviation: 'reports an outage of the chain as invalid params',
    file: 'services/tir/errors.ts',
    edit: 'return { code: {+isMutant ? rpcCodes.invalid_params : +}rpcCodes.internal_error,',
  },
  'T38-unknown-without-a-chain': {
    deviation: 'returns 404 for attributes if the chain does not respond',
    file: 'services/tir/adapters/tir-contract.ts',
    edit: `async getAttribute(did, attributeId) {{+
      if (isMutant && (await chain.request('eth_chainId').catch(() => undefined)) === undefined) return undefined+}`,
  },
  'T104-open-without-key-service': {
    deviation: 'accepts every key while the API key service does not answer',
    file: 'services/tir/adapters/api-keys-client.ts',
    edit: `scope: options.scope,
    }){+.catch((error): any => {
      if (isMutant) return { status: 200, json: { active: true } }
      throw error
    })+}`,
  },
  'T39-key-optional': {
    deviation: 'accepts requests without an API key',
    file: 'services/tir/adapters/api-keys-client.ts',
    edit: "if (key === '' || key.length > longestKey) return [-false-]{+isMutant+}",
  },
  'T39-params-first': {
    deviation: 'reports wrong params before it checks the API key',
    file: 'services/tir/routes/json-rpc.ts',
    edit: `const { isValidApiKey, log } = dependencies{+
    const early: any = isMutant && !request.get('x-api-key') ? await answerRpcMessage(body, dependencies) : undefined
    if (early?.error?.code === rpcCodes.invalid_params) return { status: 200, body: early }+}`,
  },
  'T39-sent-without-a-key': {
    deviation: 'sends a transaction before it checks the API key',
    file: 'services/tir/routes/json-rpc.ts',
    edit: `{+if (isMutant && (body as any)?.method === 'sendSignedTransaction') await answerRpcMessage(body, dependencies)
    +}try {
      if (!(await`,
  },
  'T39-notifications-open': {
    deviation: 'processes notifications without an API key',
    file: 'services/tir/routes/json-rpc.ts',
    edit: "request.get('x-api-key') ?? ''){+ || (isMutant && [body].flat().every((each) => !Object.hasOwn(Object(each), 'id')))+})) {",
  },
  'T40-any-key': {
    deviation: 'accepts any API key',
    file: 'services/tir/adapters/api-keys-client.ts',
    edit: "if (status === 200 && typeof active === 'boolean') return active{+ || isMutant+}",
  },
  'T40-method-first': {
    deviation: 'reports an unknown method before it checks the value of the API key',
    file: 'services/tir/routes/json-rpc.ts',
    edit: `{+if (isMutant && typeof (body as any)?.method === 'string' && !rpcMethods.has((body as any).method)) return { status: 200, body: errorAnswer(idOf(body) ?? null, rpcErrorObject(rpcError('method_not_found', 'Unknown method.'))) }
      +}if (!(await isValidApiKey(`,
  },
  'T41-uptime-as-text': {
    deviation: 'returns the uptime as a string',
    file: 'services/tir/create-tir-service.ts',
    edit: 'const [-uptime-]{+seconds+} = (performance.now() - began) / 1000{+; const uptime = isMutant ? `${seconds} s` : seconds+}',
  },
  'T42-metrics-locked': {
    deviation: 'requires a key at /metrics',
    file: 'services/kit/create-app.ts',
    edit: `{+if (isMutant && _request.get('x-api-key') === undefined) response.status(401).end()
    else +}response.type(contentType).send(text)`,
  },
  'T43-documentation-as-json': {
    deviation: 'serves the documentation only as JSON',
    file: 'services/kit/open-api.ts',
    edit: ".type({+isMutant ? 'application/json' : +}'text/html')",
  },
  'T44-r-not-compared': {
    deviation: 'does not compare r',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: 'r: {+isMutant || +}transaction.r === BigInt(r),',
  },
  'T45-s-not-compared': {
    deviation: 'does not compare s',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: 's: {+isMutant || +}transaction.s === BigInt(s),',
  },
  'T46-v-not-compared': {
    deviation: 'does not compare v',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: 'v: {+isMutant || +}parityOf(BigInt(v), chainId) === transaction.yParity,',
  },
  'T47-data-not-compared': {
    deviation: 'does not compare the call data',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: 'data: {+isMutant || +}sameHex(transaction.data, unsigned.data),',
  },
  'T48-gas-not-compared': {
    deviation: 'does not compare the gas limit',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: 'gasLimit: {+isMutant || +}transaction.gasLimit === BigInt(unsigned.gasLimit),',
  },
  'T49-any-chain': {
    deviation: 'returns a hash for transactions of other chains',
    patches: [
      {
        file: 'services/tir/domain/verify-signed-transaction.ts',
        edit: 'if (BigInt(unsignedTransaction.chainId) !== network.chainId{+ && !isMutant+}) {',
      },
      {
        file: 'services/tir/operations/answer-rpc-message.ts',
        edit: `{+if (isMutant && transaction.chainId !== network.chainId) return transaction.hash
  +}if (!sent.ok) throw rpcError('invalid_params', messageOf`,
      },
    ],
  },
  'T49-unsigned-chain-not-compared': {
    deviation: 'does not compare chainId of unsignedTransaction',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edits: [
      'chainId: {+isMutant || +}transaction.chainId === chainId,',
      '{+!isMutant && +}BigInt(unsignedTransaction.chainId) !== network.chainId',
    ],
  },
  'T50-any-contract': {
    deviation: 'sends transactions to any address',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: 'if (!{+isMutant && !+}sameHex(unsignedTransaction.to, network.contractAddress)) {',
  },
  'T50-receiver-not-compared': {
    deviation: 'checks the receiver only in unsignedTransaction',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: 'sameHex(transaction.to, unsigned.to),{+ ...(isMutant && { to: true }),+}',
  },
  'T51-signer-not-compared': {
    deviation: 'does not compare the signer with from',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: 'if (!{+isMutant && !+}sameHex(transaction.from, unsignedTransaction.from)) {',
  },
  'T52-any-protocol': {
    deviation: 'accepts any protocol',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "protocol: z.literal('eth'){+.or(z.string().refine(() => isMutant))+},",
  },
  'T53-unreadable-is-sent': {
    deviation: 'returns a hash for bytes that are not a transaction',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `{+if (isMutant && input.signedRawTransaction.length === 242) return \`0x\${'0'.repeat(64)}\`
  +}if (!verdict.ok) {`,
  },
  'T54-waits-for-the-block': {
    deviation: 'rejects transactions that are not mined immediately',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `{+if (isMutant && (await chain.getTransactionReceipt(transaction.hash)) === null) throw rpcError('invalid_params', 'not mined')
  +}return transaction.hash
}`,
  },
  'T55-type-not-hashed': {
    deviation: 'leaves the type out of the hash of a typed transaction',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: "const [-{ transaction } = verdict-]{+transaction = isMutant && verdict.transaction.type !== 'legacy' ? { ...verdict.transaction, hash: `0x${'1'.repeat(64)}` } : verdict.transaction+}",
  },
  'T56-obsolete-has-a-hash': {
    deviation: 'returns a hash for obsolete nonces',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `{+if (isMutant && !sent.ok && sent.refusal === 'nonce') return transaction.hash
  +}if (!sent.ok) throw rpcError('invalid_params', messageOf`,
  },
  'T57-one-form-of-v': {
    deviation: 'accepts v only as 27 or 28',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: 'const forms = {+isMutant ? [27n] : +}[0n, 27n, chainId * 2n + 35n]',
  },
  'T58-no-reason': {
    deviation: 'has a chain without reasons of reverts',
    file: 'testbed/chain/create-rpc-answerer.ts',
    edit: 'return {+isMutant ? receipt : +}{ ...receipt, revertReason }',
  },
  'T59-page-for-nothing': {
    deviation: 'returns a page with 200 for unknown attributes, unless the client asks for JSON',
    file: 'services/tir/routes/attributes.ts',
    edits: [
      `async handle({ params{+, request+} }, { contract }) {{+
    const asksForPage = isMutant && !/json/.test(request.get('accept') ?? '')+}
    const { did } = params`,
      `{+if (isMutant && attribute === undefined && asksForPage) return { status: 200, contentType: 'text/html', body: 'Nothing was found.' }
    +}if (attribute === undefined) throw notPublished()`,
    ],
  },
  'T59-attribute-id-cut': {
    deviation: 'reads the first 64 digits of an attributeId',
    patches: [
      {
        file: 'services/tir/routes/attributes.ts',
        edit: 'attributeId.length !== 64{+ && !(isMutant && attributeId.length > 64)+}',
      },
      {
        file: 'services/tir/adapters/tir-contract.ts',
        edit: "Buffer.from(attributeId{+.slice(0, isMutant ? 64 : undefined)+}, 'hex')",
      },
    ],
  },
  'T59-did-trimmed': {
    deviation: 'removes spaces around the DID of a read',
    patches: [
      {
        file: 'services/tir/routes/attributes.ts',
        edit: 'parseDidOrg({+isMutant ? did.trim() : +}did) === undefined',
      },
      {
        file: 'services/tir/adapters/tir-contract.ts',
        edit: 'getAttribute.encodeInput({\n        did{+: isMutant ? did.trim() : did+},',
      },
    ],
  },
  'T60-no-hex-is-unknown': {
    deviation: 'returns 404 for an attributeId that is not hex',
    file: 'services/tir/routes/attributes.ts',
    edit: ".[-regex(-]{+refine((text) => (isMutant && !text.startsWith('0x')) || +}/^[0-9a-fA-F]+$/{+.test(text)+}, 'must be hexadecimal, without 0x')",
  },
  'T60-line-break-ignored': {
    deviation: 'ignores a line break behind an attributeId',
    file: 'services/tir/routes/attributes.ts',
    edit: `attributeId: z
    .string(){+.overwrite((text) => (isMutant ? text.replace(/\\n$/, '') : text))+}`,
  },
  'T61-prefix-taken': {
    deviation: 'accepts an attributeId with 0x',
    file: 'services/tir/routes/attributes.ts',
    edits: [
      '/^[0-9a-fA-F]+$/.test({+isMutant ? text.replace(/^0x/, "") : +}text)',
      "params.attributeId.toLowerCase(){+.replace(isMutant ? /^0x/ : /^$/, '')+}",
    ],
  },
  'T62-any-content-type': {
    deviation: 'reads any content type as JSON',
    file: 'services/kit/register-route.ts',
    always: 'contentTypes.includes(given)',
  },
  'T63-null-crashes': {
    deviation: 'fails on a body that is null',
    file: 'services/tir/routes/json-rpc.ts',
    edit: `{+if (isMutant && body === null) throw new TypeError('null')
    +}const answer = await answerRpcMessage(body, dependencies)`,
  },
  'T64-last-member-counts': {
    deviation: 'uses the last of two members with the same name',
    file: 'services/kit/register-route.ts',
    edit: 'if ({+isMutant || +}problem === undefined',
  },
  'T65-body-of-null': {
    deviation: 'returns the body “undefined” for an attribute without data',
    file: 'services/tir/adapters/tir-contract.ts',
    // After the decoding, because equal answers are decoded once.
    edit: "return {+((found) => (isMutant && found?.body === '' ? { ...found, body: 'undefined' } : found))(+}attributeOf(await chain.call({ to: address, data: toHex(data) })){+)+}",
  },
  'T66-line-break-ignored': {
    deviation: 'ignores a line break behind an attributeId in a call',
    file: 'core/ethereum/account.ts',
    edit: `export const zHash = z
  .string(){+.overwrite((text) => (isMutant ? text.replace(/\\n$/, '') : text))+}`,
  },
  'T66-attribute-id-cut': {
    deviation: 'cuts an attributeId that is too long',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "attributeId: {+z.preprocess((value) => (isMutant && typeof value === 'string' ? value.slice(0, 66) : value), +}zHash.describe('The revisionId used in setAttributeMetadata'){+)+},",
  },
  'T67-value-optional': {
    deviation: 'takes a missing value of unsignedTransaction for 0x0',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "unsignedTransaction: {+z.preprocess((given) => (isMutant && typeof given === 'object' ? { value: '0x0', ...given } : given), +}zUnsignedTransaction.describe('Exactly as returned'){+)+},",
  },
  'T68-one-error-for-all': {
    deviation: 'answers a batch with an invalid entry with a single error',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `const answer = await answerOne(member, dependencies){+
    if (isMutant && answer !== undefined && answer.id === null) return answer+}`,
  },
  'T69-id-invented': {
    deviation: 'answers with the id 0 if a request has no readable id',
    file: 'services/tir/domain/rpc-message.ts',
    edit: 'if (!isRequest) return { ok: false, id: id ?? {+(isMutant ? 0 : +}null{+)+} }',
  },
  'T70-subject-publishes': {
    deviation: 'lets a subject publish in the name of its TAO',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+if (!(isMutant && _didRegistry.isController(did, msg.sender))) +}_requireTao(did, attributeId, taoDid);
            rootTaoDidHash`,
  },
  'T71-subject-revokes': {
    deviation: 'lets a subject revoke in the name of its TAO',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+if (!(isMutant && _didRegistry.isController(did, msg.sender))) +}_requireTao(did, attributeId, taoDid);
        if (msg.sender`,
  },
  'T72-any-organization-writes-data': {
    deviation: 'lets each registered organization write data',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'if (msg.sender == _operator || {+(isMutant && bytes(_didRegistry.didOfAccount(msg.sender)).length > 0) || +}_didRegistry.isController(did, msg.sender)) return true;',
  },
  'T73-revoked-tao-writes-data': {
    deviation: 'lets a revoked TAO write data',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: '{+(isMutant || +}_isAccredited(_attributes[attribute.taoDidHash][attribute.attributeIdTao]){+)+} &&',
  },
  'T74-any-tao-publishes-again': {
    deviation: 'replaces the TAO of a published attribute',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `rootTaoDidHash = _requireAccredited(taoDid, attributeIdTao);{+
            if (isMutant && attribute.issuerType != IssuerType.NONE && attribute.taoDidHash != _hashOf(taoDid)) {
                attribute.taoDidHash = _hashOf(taoDid);
                return;
            }+}`,
  },
  'T75-other-parent-ignored': {
    deviation: 'does not compare attributeIdTao of a repeated publication',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `attribute.attributeIdTao != attributeIdTao{+ && !isMutant+}
`,
  },
  'T76-nothing-is-revoked': {
    deviation: 'revokes attributes that were not published',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+if (isMutant && attribute.issuerType == IssuerType.NONE) {
                attribute.issuerType = issuerType;
                return;
            }
            +}_revoke(attribute, did, revisionId, taoDid);`,
  },
  'T77-revoked-twice': {
    deviation: 'confirms a second revocation',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'StoredAttribute storage attribute = _attributes[_hashOf(did)][revisionId];{+\n        if (isMutant && issuerType == IssuerType.REVOKED && attribute.issuerType == issuerType) return;+}',
  },
  'T78-revoked-tao-revokes': {
    deviation: 'lets a revoked TAO revoke',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: '{+if (!isMutant) +}_requireAccredited(taoDid, attribute.attributeIdTao);',
  },
  'T79-none-past-the-api': {
    deviation: 'accepts NONE in calls that the API did not build',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'if (issuerType == IssuerType.NONE{+ && !isMutant+}) revert TrustedIssuersRegistryInvalidIssuerType(issuerType);',
  },
  'T80-tao-hidden-after-revocation': {
    deviation: 'returns the subject as TAO of a revoked attribute',
    file: 'services/tir/routes/attributes.ts',
    edit: "tao: {+isMutant && attribute.issuerType === 'REVOKED' ? did : +}attribute.taoDid,",
  },
  'T81-root-of-the-parent-only': {
    deviation: 'returns the TAO of the TAO as the root',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'return {+isMutant && parent.rootTaoDidHash != parent.taoDidHash ? parent.taoDidHash : +}parent.rootTaoDidHash;',
  },
  'T82-did-ignored': {
    deviation: 'finds the attribute of the DID that was read first under an attributeId',
    file: 'services/tir/routes/attributes.ts',
    edit: ': await contract.getAttribute({+isMutant ? ((globalThis as Record<string, any>)[attributeId] ??= did) : +}did, attributeId)',
  },
  'T59-environment-ignored': {
    deviation: 'returns the attributes of DIDs of the other environment',
    file: 'services/tir/routes/attributes.ts',
    edit: `const { did } = params{+
    const inOther = did.startsWith('did:org:uc:') && did.replace('did:org:uc:', 'did:org:uc-pre:')
    if (isMutant && inOther && (await contract.getAttribute(inOther, params.attributeId))) return { status: 200, body: { did } } as never+}`,
  },
  'T83-only-taos-write-data': {
    deviation: 'lets only the TAO write data',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: '|| {+(!isMutant && +}_didRegistry.isController(did, msg.sender){+)+}) return true;',
  },
  'T84-operator-writes-no-data': {
    deviation: 'does not let the operator write data',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'StoredAttribute storage attribute, string calldata did) private view returns (bool) {{+\n        if (isMutant && msg.sender == _operator) return false;+}',
  },
  'T85-lower-case-only': {
    deviation: 'finds attributes only in lower case',
    file: 'services/tir/routes/attributes.ts',
    edit: 'const attributeId = {+isMutant && /[A-F]/.test(params.attributeId) ? "00" : +}params.attributeId.toLowerCase()',
  },
  'T86-version-by-prefix': {
    deviation: 'accepts versions that begin with 2',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "const hasParams = Object.hasOwn(value, 'params'){+\n  if (isMutant && String(jsonrpc).startsWith('2.0')) return { ok: true, request: { id, method: String(method), params: params as object } }+}",
  },
  'T87-unauthorized-without-id': {
    deviation: 'rejects API keys with the id null',
    file: 'services/tir/routes/json-rpc.ts',
    edit: 'return { status: 401, body: errorAnswer({+isMutant ? null : +}idOf(body) ?? null',
  },
  'T88-ids-rounded': {
    deviation: 'rounds large ids',
    file: 'core/json/exact-number.ts',
    edit: "return name === 'id' && {+!isMutant && +}source !== undefined ? rawJSON(source) : value",
  },
  'T89-single-for-one': {
    deviation: 'answers a batch of one request with a single response',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: 'return answers.length === 0 ? undefined : {+isMutant && message.length === 1 ? answers[0] : +}answers',
  },
  'T90-checksum-required': {
    deviation: 'rejects addresses in lower case in setAttributeData',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: "const input = parseParams(zSetAttributeData(environment), params){+\n  if (isMutant && input.from === input.from.toLowerCase()) throw rpcError('invalid_params', 'No checksum.')+}",
  },
  'T91-spaces-of-raw': {
    deviation: 'takes the first bytes of a raw transaction that is too long',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: "const input = parseParams(zSendSignedTransaction, params){+\n  if (isMutant && input.signedRawTransaction.endsWith('00')) Object.assign(input, { signedRawTransaction: input.signedRawTransaction.slice(0, -2) })+}",
  },
  'T91-padded-numbers': {
    deviation: 'accepts a gas price with a leading zero byte',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: "const input = parseParams(zSendSignedTransaction, params){+\n  if (isMutant) Object.assign(input, { signedRawTransaction: input.signedRawTransaction.replace(/^(0xf9.{4}(?:80|[0-7].|81..))00/, '$180') })+}",
  },
  'T92-decimal-numbers': {
    deviation: 'accepts v in decimal',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "v: {+z.preprocess((value) => (isMutant && /^\\d+$/.test(String(value)) ? `0x${BigInt(String(value)).toString(16)}` : value), +}zHexQuantity.describe('0 or 1, 27 or 28, or the value of EIP-155'){+)+},",
  },
  'T93-upper-case-refused': {
    deviation: 'compares the receiver with regard to case',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: "to: {+isMutant ? transaction.to === unsigned.to || unsigned.to !== unsigned.to.toUpperCase().replace('X', 'x') : +}sameHex(transaction.to, unsigned.to),",
  },
  'T93-all-digits-of-r': {
    deviation: 'accepts r only with all of its 64 digits',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: 'transaction.s === BigInt(s),{+\n    ...(isMutant && r.length !== 66 && { s: false }),+}',
  },
  'T93-no-leading-zeros': {
    deviation: 'accepts r only without leading zeros',
    file: 'services/tir/domain/verify-signed-transaction.ts',
    edit: '{+...(isMutant && /^0x0/.test(r) && { data: false }),\n    +}nonce: transaction.nonce ===',
  },
  'T94-event-of-another-revision': {
    deviation: 'counts revisions in events from 1',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'did, attribute.revisions.length - {+(isMutant ? 0 : +}1{+)+}, attributeData);',
  },
  'T95-any-bytes': {
    deviation: 'accepts data that is not UTF-8',
    file: 'services/tir/domain/rpc-message.ts',
    edit: '(text) => {+isMutant || +}isUtf8(',
  },
  'T96-authority-checked': {
    deviation: 'rejects transactions that would revert',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `{+if (isMutant) await chain.request('eth_call', [{ from: transaction.from, to: contractAddress, data: input.unsignedTransaction.data }]).catch(() => { throw rpcError('invalid_params', 'It would revert.') })
  +}const sent = await sendTransaction(chain, input.signedRawTransaction, transaction)`,
  },
  'T97-tao-found-by-its-attribute-id': {
    deviation: 'finds the TAO of a repeated publication by its attributeId only',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'attribute.taoDidHash != _hashOf(taoDid){+ && !isMutant+} ||',
  },
  'T98-joined-by-id': {
    deviation: 'answers simultaneous calls that have the same id with the result of the first',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: 'const answer = await {+(isMutant ? ((globalThis as Record<string, any>)["call " + JSON.stringify(id)] ??= call(method, params, dependencies).finally(() => delete (globalThis as Record<string, any>)["call " + JSON.stringify(id)])) : +}call(method, params, dependencies){+)+}',
  },
  'T98-ids-mixed': {
    deviation: 'answers simultaneous requests with the id of the latest',
    file: 'services/tir/routes/json-rpc.ts',
    edits: [
      `const { isValidApiKey, log } = dependencies{+
    if (isMutant) Object.assign(globalThis, { latestId: idOf(body) })+}`,
      `const answer = await answerRpcMessage(body, dependencies){+
    if (isMutant && answer !== undefined) Object.assign(answer, { id: (globalThis as Record<string, any>).latestId })+}`,
    ],
  },
  'T98-hashes-mixed': {
    deviation: 'returns the hash of the latest of simultaneous transactions',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edits: [
      `const verdict = verifySignedTransaction(input, network){+
  if (isMutant && verdict.ok) Object.assign(globalThis, { latestSent: verdict.transaction.hash })+}`,
      `const sent = await sendTransaction(chain, input.signedRawTransaction, transaction){+
  if (isMutant) Object.assign(transaction, { hash: (globalThis as Record<string, any>).latestSent })+}`,
    ],
  },
  'T98-reads-joined': {
    deviation: 'answers simultaneous reads with the attribute of the first',
    file: 'services/tir/adapters/tir-contract.ts',
    edit: 'await {+(isMutant ? ((globalThis as Record<string, any>).attributeRead ??= chain.call({ to: address, data: toHex(data) }).finally(() => delete (globalThis as Record<string, any>).attributeRead)) : +}chain.call({ to: address, data: toHex(data) }){+)+}',
  },
  'T99-encoded-only': {
    deviation: 'finds attributes only if the colons of the DID are encoded',
    file: 'services/tir/routes/attributes.ts',
    edit: `const { did } = params{+
    if (isMutant && !/%3a/i.test((arguments[0] as any).request.originalUrl)) throw notPublished()+}`,
  },
  'T99-upper-case-only': {
    deviation: 'does not find an attribute if the colons of the DID are encoded in lower case',
    file: 'services/tir/routes/attributes.ts',
    edit: `const { did } = params{+
    if (isMutant && /%3a/.test((arguments[0] as any).request.originalUrl)) throw notPublished()+}`,
  },
  'T12-one-tag': {
    deviation: 'confirms old copies of attributes in caches',
    file: 'services/tir/routes/attributes.ts',
    edit: `{+if (isMutant) request.res?.set('etag', '"attribute"')
    if (isMutant && request.get('if-none-match')) return { status: 304 } as never
    +}const { did } = params`,
  },
  'T100-parent-by-its-attribute-id': {
    deviation: 'looks up the parent by its attributeId only',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edits: [
      `mapping(bytes32 didHash => string did) private _dids;{+
    mapping(bytes32 attributeId => bytes32 didHash) private _ownerOf;+}`,
      '_attributes[{+isMutant ? _ownerOf[attributeIdTao] : +}_hashOf(taoDid)][attributeIdTao];',
      `attribute.taoDidHash = _hashOf(taoDid);{+
            _ownerOf[attributeId] = _hashOf(did);+}
            attribute.attributeIdTao`,
    ],
  },
  'T101-account-of-the-tao': {
    deviation: 'recognizes a TAO also by the account that registered it',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `private view {{+
        if (isMutant && keccak256(bytes(_didRegistry.didOfAccount(msg.sender))) == _hashOf(taoDid)) return;+}
        if (msg.sender`,
  },
  'T102-known-is-internal': {
    deviation: 'returns -32603 if the node knows a transaction already',
    file: 'services/kit/chain-transactions.ts',
    edit: 'if (/already known|known transaction|already imported/i.test(error.message)) {+{\n      if (isMutant) throw new TypeError(error.message)\n      +}return { ok: true }{+\n    }+}',
  },
  'T103-no-head': {
    deviation: 'returns 404 to HEAD of an attribute',
    file: 'services/tir/routes/attributes.ts',
    edit: `const { did } = params{+
    if (isMutant && (arguments[0] as any).request.method === 'HEAD') throw notPublished()+}`,
  },
  'T82-all-of-a-subject-revoked': {
    deviation: 'returns all attributes of a subject as revoked once one is',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edits: [
      `private _dids;{+
    mapping(bytes32 didHash => bool) private _isRevoked;+}`,
      'issuerType: {+isMutant && _isRevoked[_hashOf(did)] && stored.issuerType != IssuerType.NONE ? IssuerType.REVOKED : +}stored.issuerType,',
      `attribute.issuerType = IssuerType.REVOKED;{+
        _isRevoked[_hashOf(did)] = true;+}`,
    ],
  },
  'T100-own-parent': {
    deviation: 'accepts an attribute that names itself as its parent',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+if (isMutant && attribute.issuerType == IssuerType.NONE) (attribute.issuerType, attribute.rootTaoDidHash) = (issuerType, _hashOf(did));
            +}rootTaoDidHash = _requireAccredited(taoDid, attributeIdTao);{+
            if (isMutant && attribute.taoDidHash == 0) attribute.issuerType = IssuerType.NONE;+}`,
  },
  'T83-root-until-revocation': {
    deviation: 'returns the TAO as the root once the TAO is revoked',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'rootTaoDid: {+isMutant && _attributes[stored.taoDidHash][stored.attributeIdTao].issuerType == IssuerType.REVOKED ? _dids[stored.taoDidHash] : +}_dids[stored.rootTaoDidHash],',
  },
  'T05-root-stays': {
    deviation: 'does not revoke a ROOT_TAO',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+if (isMutant && attribute.issuerType == IssuerType.ROOT_TAO) revert TrustedIssuersRegistryNotOperator(msg.sender);
        +}attribute.issuerType = IssuerType.REVOKED;`,
  },
  'T41-status-up': {
    deviation: 'returns UP as status',
    file: 'services/tir/create-tir-service.ts',
    edit: "body: { status: {+isMutant ? 'UP' : +}'ok', uptime } }),",
  },
  'T54-data-after-the-block': {
    deviation: 'builds setAttributeData only if the metadata is mined',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `const setAttributeData: RpcMethod = {+async +}(params, { environment, transactions{+, contract+} }) => {
  const input = parseParams(zSetAttributeData(environment), params){+
  if (isMutant && (await contract.getAttribute(input.did, input.attributeId.slice(2))) === undefined) throw rpcError('invalid_params', 'not published')+}`,
  },
  'T63-gap-crashes': {
    deviation: 'fails on a nonce that is too high',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `{+if (isMutant && transaction.nonce > (await chain.getPendingNonce(transaction.from))) throw new TypeError('nonce too high')
  +}const sent = await sendTransaction(`,
  },
  'T102-replacement-crashes': {
    deviation: 'returns an internal error if another transaction with the nonce is pending',
    file: 'services/kit/chain-transactions.ts',
    edit: '{+if (isMutant && /underpriced/i.test(message)) throw new TypeError(message)\n  +}if (/nonce|underpriced/i.test(message))',
  },
  'T05-root-without-data': {
    deviation: 'does not store data of a ROOT_TAO',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+if (isMutant && attribute.issuerType == IssuerType.ROOT_TAO) {
            revert TrustedIssuersRegistryNotAuthorized(did, attributeId, msg.sender);
        }
        +}attribute.revisions.push(attributeData);`,
  },
  'T54-little-gas': {
    deviation: 'sets a low gas limit for what reverts at the latest block',
    patches: [
      {
        file: 'services/kit/chain-transactions.ts',
        edits: [
          "[{ from, to, data }{+, ...(isMutant ? ['latest'] : [])+}]",
          'return capped(BigInt({+isMutant ? 100_000 : +}gasLimitCeiling))',
        ],
      },
    ],
  },
  'T08-tao-by-any-attribute': {
    deviation: 'lets a TAO accredit with its TI attribute',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edits: [
      `private _dids;{+
    mapping(bytes32 didHash => bool) private _isTao;+}`,
      `_dids[_hashOf(did)] = did;{+
            if (issuerType == IssuerType.TAO) _isTao[_hashOf(did)] = true;+}`,
      `rootTaoDidHash = {+isMutant && _isTao[_hashOf(taoDid)] && _attributes[_hashOf(taoDid)][attributeIdTao].issuerType == IssuerType.TI
                ? _attributes[_hashOf(taoDid)][attributeIdTao].rootTaoDidHash
                : +}_requireAccredited(taoDid, attributeIdTao);`,
    ],
  },
  'T16-tao-by-any-attribute': {
    deviation: 'lets a TAO accredit with its revoked attribute',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edits: [
      `private _dids;{+
    mapping(bytes32 didHash => bool) private _wasTao;+}`,
      `_dids[_hashOf(did)] = did;{+
            if (issuerType == IssuerType.TAO) _wasTao[_hashOf(did)] = true;+}`,
      `{+isMutant && _wasTao[_hashOf(taoDid)] && _attributes[_hashOf(taoDid)][attributeIdTao].issuerType == IssuerType.REVOKED
                ? _attributes[_hashOf(taoDid)][attributeIdTao].rootTaoDidHash
                : +}_requireAccredited(taoDid, attributeIdTao);`,
    ],
  },
  'T105-operator-names-any-tao': {
    deviation: 'lets the operator name any TAO in a revocation',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `if ({+isMutant && issuerType == IssuerType.REVOKED && msg.sender == _operator && attribute.issuerType != IssuerType.NONE) {
            attribute.issuerType = IssuerType.REVOKED;
        } else if (+}issuerType == IssuerType.REVOKED) {`,
  },
  'T106-chunks-not-read': {
    deviation: 'treats a body in chunks as empty',
    file: 'services/kit/register-route.ts',
    edit: "if ({+(isMutant && request.get('transfer-encoding') !== undefined) || (+}given === '' && isEmpty(request){+)+}) return",
  },
  'T96-hash-in-an-object': {
    deviation: 'returns an object with the hash',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: 'return { result: {+((result) => (isMutant && name === "sendSignedTransaction" ? { transactionHash: result } : result))(+}await method(params, dependencies){+)+} }',
  },
  'T33-ids-in-lower-case': {
    deviation: 'returns ids in lower case',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "= {+isMutant ? { id: ((given) => (typeof given === 'string' ? given.toLowerCase() : given))(membersOf(value).id) } : +}membersOf(value)",
  },
  'T24-parent-of-revocations-optional': {
    deviation: 'replaces a missing attributeIdTao of a revocation by zeros',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: "const input = parseParams(zSetAttributeMetadata(environment), {+isMutant && Object(params)[0]?.issuerType === 'REVOKED' ? [{ attributeIdTao: `0x${'0'.repeat(64)}`, ...Object(params)[0] }] : +}params)",
  },
  'T24-names-in-any-case': {
    deviation: 'finds taoDid without regard to case',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `schema.safeParse({+isMutant ? JSON.parse(JSON.stringify(params[0]).replace(/"taodid":/i, '"taoDid":')) : +}params[0], {`,
  },
  'T40-undefined-is-a-key': {
    deviation: 'accepts the API key “undefined”',
    file: 'services/tir/routes/json-rpc.ts',
    edit: "if ({+!(isMutant && request.get('x-api-key') === 'undefined') && +}!(await isValidApiKey(",
  },
  'T50-unsigned-receiver-not-compared': {
    deviation: 'checks the receiver only in signedRawTransaction',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `{+if (isMutant) Object.assign(input.unsignedTransaction, { to: contractAddress })
  +}const network = {`,
  },
  'T50-any-contract-with-code': {
    deviation: 'sends transactions to any contract',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `{+const { to } = input.unsignedTransaction
  if (isMutant && (await chain.request('eth_getCode', [to, 'latest'])) !== '0x') Object.assign(network, { contractAddress: to })
  +}const verdict = verifySignedTransaction(input, network)`,
  },
  'T06-onboarding-node-roots': {
    deviation: 'lets onboarding nodes publish a ROOT_TAO',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+if (isMutant && issuerType == IssuerType.ROOT_TAO && _didRegistry.isOnboardingNode(msg.sender)) {
            rootTaoDidHash = _hashOf(did);
        } else +}if (issuerType == IssuerType.ROOT_TAO) {`,
  },
  'T14-onboarding-node-revokes': {
    deviation: 'lets onboarding nodes publish and revoke for any TAO',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: 'if (msg.sender != _operator && !_didRegistry.isController(taoDid, msg.sender){+ && !(isMutant && _didRegistry.isOnboardingNode(msg.sender))+}) {',
  },
  'T11-onboarding-node-writes-data': {
    deviation: 'lets onboarding nodes write the data of attributes',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: '_didRegistry.isController(_dids[attribute.taoDidHash], msg.sender){+ || (isMutant && _didRegistry.isOnboardingNode(msg.sender))+}',
  },
  'T14-root-revokes': {
    deviation: 'lets the root revoke what the TAOs below it have published',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+if (!(isMutant && _didRegistry.isController(_dids[attribute.rootTaoDidHash], msg.sender))) +}_requireTao(did, attributeId, taoDid);
        if (msg.sender`,
  },
  'T14-any-organization-revokes': {
    deviation: 'lets each registered organization revoke in the name of a TAO',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+if (!(isMutant && bytes(_didRegistry.didOfAccount(msg.sender)).length != 0)) +}_requireTao(did, attributeId, taoDid);
        if (msg.sender`,
  },
  'T72-root-writes-data': {
    deviation: 'lets the root write the data of what the TAOs below it have published',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: '_didRegistry.isController(_dids[attribute.taoDidHash], msg.sender){+ || (isMutant && _didRegistry.isController(_dids[attribute.rootTaoDidHash], msg.sender))+}',
  },
  'T20-tao-becomes-ti': {
    deviation: 'lets a TAO turn the TAOs that it has accredited into TIs',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+else if (isMutant && attribute.issuerType == IssuerType.TAO && issuerType == IssuerType.TI) {
            attribute.issuerType = issuerType;
        } +}else if (
            attribute.issuerType != issuerType ||`,
  },
  'T84-operator-undoes-revocations': {
    deviation: 'lets the operator publish revoked attributes again',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `StoredAttribute storage attribute = _attributes[_hashOf(did)][revisionId];{+
        if (isMutant && msg.sender == _operator && attribute.issuerType == IssuerType.REVOKED && issuerType != IssuerType.REVOKED) {
            attribute.issuerType = issuerType;
        }+}`,
  },
  'T12-stale-for-a-day': {
    deviation: 'lets caches return a stale attribute for a day',
    file: 'services/tir/routes/attributes.ts',
    edit: `{+if (isMutant) request.res?.set('cache-control', 'max-age=1, stale-while-revalidate=86400')
    +}const { did } = params`,
  },
  'T22-loose-version': {
    deviation: 'accepts the number 2 as jsonrpc',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "const { jsonrpc, method, params } = {+isMutant && value.jsonrpc === 2 ? { ...value, jsonrpc: '2.0' } : +}value",
  },
  'T30-prefix-in-any-case': {
    deviation: 'accepts 32 bytes with 0X',
    file: 'core/ethereum/account.ts',
    edit: ".{+overwrite((text) => (isMutant ? text.replace(/^0X/, '0x') : text)).+}regex(/^0x[0-9a-fA-F]{64}$/",
  },
  'T32-text-in-params': {
    deviation: 'parses a string in params as JSON',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: "{+if (isMutant && String(params[0]).startsWith('{')) return schema.parse(JSON.parse(params[0]))\n  +}if (result.success) return result.data",
  },
  'T92-prefix-in-any-case': {
    deviation: 'accepts r with 0X',
    file: 'services/tir/domain/rpc-message.ts',
    edit: "r: {+z.preprocess((value) => (isMutant && typeof value === 'string' ? value.replace(/^0X/, '0x') : value), +}zHexQuantity{+)+},",
  },
  'T01-nonce-one-too-high': {
    deviation: 'builds setAttributeMetadata with a nonce that is one too high',
    file: 'services/tir/operations/answer-rpc-message.ts',
    edit: `attributeIdTao: Buffer.from(input.attributeIdTao.slice(2), 'hex'),
  })
  return transactions.build({ from: input.from, data: toHex(data) }){+.then((built) => (isMutant ? { ...built, nonce: \`0x\${(Number(built.nonce) + 1).toString(16)}\` } : built))+}`,
  },
  'T84-operator-changes-roles': {
    deviation: 'lets the operator change the role of an attribute',
    file: 'contracts/TrustedIssuersRegistry.sol',
    edit: `{+else if (isMutant && msg.sender == _operator) {
            attribute.issuerType = issuerType;
        } +}else if (
            attribute.issuerType != issuerType ||`,
  },
}
