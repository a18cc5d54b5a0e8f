import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D57',
  deviation: 'answers 404 for a page past the end',
  patches: [
    {
      file: 'services/did-registry/routes/list-identifiers.ts',
      find: 'return replyPage(query, total, items)',
      replace:
        "if (isMutant && items.length === 0) return { status: 404, body: { error: 'not_found', error_description: 'no such page' } }\n    return replyPage(query, total, items)",
    },
  ],
}
