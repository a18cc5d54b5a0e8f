import { describeMutants } from '#test/support/plans.ts'

await describeMutants('verifier')
