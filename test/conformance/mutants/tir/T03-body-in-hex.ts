import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T03',
  deviation: 'answers a long body in hex',
  patches: [
    {
      file: 'services/tir/routes/read-attribute.ts',
      find: 'body: attribute.body,',
      replace:
        "body: isMutant && attribute.body.length > 40 ? `0x${Buffer.from(attribute.body).toString('hex')}` : attribute.body,",
    },
  ],
}
