import { TestbedContainer } from '../../containers/testcontainers.ts'

const image = await TestbedContainer.build()
await using testbed = await image.withEnvironments('pre').withSeed('mine').start()

const { environments } = testbed.getTestbedFile()
console.log(environments.pre?.issuerBaseUrl)
await testbed.followLog((line) => console.error(line))
await testbed.writeTestbedFile('testbed.json')
