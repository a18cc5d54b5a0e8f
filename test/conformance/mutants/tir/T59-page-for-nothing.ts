import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T59',
  deviation: 'shows a page with 200 where there is nothing, to whoever does not ask for JSON',
  patches: [
    {
      file: 'services/tir/routes/read-attribute.ts',
      find: `async handle({ params }, { contract }) {
    const { did } = params`,
      replace: `async handle({ params, request }, { contract }) {
    const asksForPage = isMutant && !/json/.test(request.get('accept') ?? '')
    const { did } = params`,
    },
    {
      file: 'services/tir/routes/read-attribute.ts',
      find: 'if (attribute === undefined) throw notPublished()',
      replace:
        "if (isMutant && attribute === undefined && asksForPage) return { status: 200, contentType: 'text/html', body: 'Nothing was found.' }\n    if (attribute === undefined) throw notPublished()",
    },
  ],
}
