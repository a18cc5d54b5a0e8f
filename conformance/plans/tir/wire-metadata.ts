import type { AttributeMetadata } from '#core/registries/tir-client.ts'

/** params[0] of setAttributeMetadata, as the wire has it. */
export function wireMetadata(metadata: AttributeMetadata, from: string): Record<string, unknown> {
  const { did, attributeId, issuerType, taoDid, attributeIdTao } = metadata
  const ids = { revisionId: `0x${attributeId}`, attributeIdTao: `0x${attributeIdTao}` }
  return { from, did, issuerType, taoDid, ...ids }
}
