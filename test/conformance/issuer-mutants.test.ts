import { describeMutants } from '#test/support/describe-mutants.ts'

await describeMutants('issuer')
