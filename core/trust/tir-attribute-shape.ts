import type { ShapeRule } from '#core/verification/shape-rules.ts'

/** What `zTirAttribute` asks for, by name (Document 2, TIR attribute). */
export const tirAttributeShape: readonly ShapeRule[] = [
  { rule: 'attribute.shape', statement: 'The attribute is a JSON object.', path: '' },
  { rule: 'attribute.did', statement: 'did names whose accreditation it is.', path: 'did' },
  {
    rule: 'attribute.body',
    statement: 'attribute.body holds the accreditation.',
    path: 'attribute.body',
  },
  {
    rule: 'attribute.hash',
    statement: 'attribute.hash is the attributeId.',
    path: 'attribute.hash',
  },
  {
    rule: 'attribute.issuer-type',
    statement: 'attribute.issuerType is RTAO, TAO, TI or REVOKED.',
    path: 'attribute.issuerType',
  },
  {
    rule: 'attribute.root-tao',
    statement: 'attribute.rootTao is the DID of the root.',
    path: 'attribute.rootTao',
  },
  {
    rule: 'attribute.tao',
    statement: 'attribute.tao is the DID of who accredited.',
    path: 'attribute.tao',
  },
]
