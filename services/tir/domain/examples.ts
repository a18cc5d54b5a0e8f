import { toHex } from '#core/ethereum/account.ts'

/** Test vectors of the DID generation tool, for the examples in the documentation. */
const exampleSubject = {
  did: 'did:org:uc-pre:z1fNWVvuUi5PtY2REELNATXAnLEf',
  address: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
}

const exampleTao = { did: 'did:org:uc-pre:z1A21tLGr3Gn4TF6fumvPoQrJSqZ' }

const attributeId = 'ab'.repeat(32)
const attributeIdTao = 'cd'.repeat(32)

/** The accreditation of the examples, without a valid signature. */
const exampleBody =
  'eyJhbGciOiJFUzI1NksifQ.eyJzdWIiOiJkaWQ6b3JnOnVjLXByZTp6MWZOV1Z2dVVpNVB0WTJSRUVMTkFUWEFuTEVmIn0.c2lnbmF0dXJl'

/** params[0] of setAttributeMetadata. */
export const exampleMetadata = {
  from: exampleSubject.address,
  did: exampleSubject.did,
  revisionId: `0x${attributeId}`,
  issuerType: 'TI',
  taoDid: exampleTao.did,
  attributeIdTao: `0x${attributeIdTao}`,
} as const

/** params[0] of setAttributeData. */
export const exampleData = {
  from: exampleSubject.address,
  did: exampleSubject.did,
  attributeId: `0x${attributeId}`,
  attributeData: toHex(Buffer.from(exampleBody)),
}

/** The transaction that setAttributeData builds from it. */
export const exampleTransaction = {
  to: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
  data: '0x1bef3e0c0000000000000000000000000000000000000000000000000000000000000060abababababababababababababababababababababababababababababababab00000000000000000000000000000000000000000000000000000000000000c0000000000000000000000000000000000000000000000000000000000000002b6469643a6f72673a75632d7072653a7a31664e57567675556935507459325245454c4e415458416e4c4566000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000006b65794a68624763694f694a46557a49314e6b736966512e65794a7a645749694f694a6b6157513662334a6e4f6e566a4c5842795a5470364d575a4f56315a32645656704e56423057544a535255564d546b4655574546755445566d496e302e63326c6e626d463064584a6c000000000000000000000000000000000000000000',
  gasLimit: '0xe4e1c0',
  gasPrice: '0x0',
  chainId: '0x4f25',
  nonce: '0x1',
  value: '0x0',
  from: exampleSubject.address,
}

/** params[0] of sendSignedTransaction, signed by the subject. */
export const exampleSending = {
  protocol: 'eth',
  unsignedTransaction: exampleTransaction,
  r: '0x03f3e15bca2fdacf187c8b3670802807cebf996afc9774b0c1cba2b622700eaa',
  s: '0x1ee1519f3eff90c3fbd64a7fa423f9b6257fbe3c1614c2fdba4cadd9e9798519',
  v: '0x1b',
  signedRawTransaction:
    '0xf901c8018083e4e1c094e7f1725e7734ce288f8367e1bb143e90bb3f051280b901641bef3e0c0000000000000000000000000000000000000000000000000000000000000060abababababababababababababababababababababababababababababababab00000000000000000000000000000000000000000000000000000000000000c0000000000000000000000000000000000000000000000000000000000000002b6469643a6f72673a75632d7072653a7a31664e57567675556935507459325245454c4e415458416e4c4566000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000006b65794a68624763694f694a46557a49314e6b736966512e65794a7a645749694f694a6b6157513662334a6e4f6e566a4c5842795a5470364d575a4f56315a32645656704e56423057544a535255564d546b4655574546755445566d496e302e63326c6e626d463064584a6c000000000000000000000000000000000000000000829e6da003f3e15bca2fdacf187c8b3670802807cebf996afc9774b0c1cba2b622700eaaa01ee1519f3eff90c3fbd64a7fa423f9b6257fbe3c1614c2fdba4cadd9e9798519',
} as const

/** Hash of that transaction. */
export const exampleHash = '0xe94d8024f5e904dd2100cca76b279952ebf1031e1f6a669ce12ba101f08c5ea5'

/** The accreditation in a response. */
export const exampleAttribute = {
  did: exampleSubject.did,
  attribute: {
    body: exampleBody,
    hash: attributeId,
    issuerType: 'TI',
    rootTao: exampleTao.did,
    tao: exampleTao.did,
    attributeIdTao,
  },
} as const
