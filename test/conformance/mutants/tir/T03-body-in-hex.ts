import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T03',
  deviation: 'answers the body in hex',
  patches: [
    {
      file: 'services/tir/routes/read-attribute.ts',
      find: 'body: attribute.body,',
      replace:
        "body: isMutant ? `0x${Buffer.from(attribute.body).toString('hex')}` : attribute.body,",
    },
  ],
}
