import { describe, expect, it } from 'vitest'
import { checkAddress } from '#wallet-emulator/http/check-address.ts'

const names: Record<string, string[]> = {
  'public.example': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'inside.example': ['10.1.2.3'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
}
const lookUp = async (host: string) => names[host] ?? [host]

const refusal = (address: string, allowPrivateAddresses = false) =>
  checkAddress(address, { allowPrivateAddresses, lookUp })

describe('checkAddress', () => {
  it.each([
    'http://public.example/offer',
    'https://public.example:8443/offer?x=1',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('lets %s through', async (address) => {
    expect(await refusal(address)).toBeUndefined()
  })

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://inside.example/',
    'http://both.example/',
  ])('refuses %s, unless private addresses are allowed', async (address) => {
    expect(await refusal(address)).toBeTypeOf('string')
    expect(await refusal(address, true)).toBeUndefined()
  })

  it.each([
    'ftp://public.example/',
    'file:///etc/passwd',
    'data:application/json,{}',
    'http://user:secret@public.example/',
    'not an address',
    '',
  ])('refuses %s in any case', async (address) => {
    expect(await refusal(address)).toBeTypeOf('string')
    expect(await refusal(address, true)).toBeTypeOf('string')
  })

  it('refuses a name that does not resolve', async () => {
    const lookUpNothing = async () => {
      throw new Error('ENOTFOUND')
    }
    const policy = { allowPrivateAddresses: false, lookUp: lookUpNothing }
    expect(await checkAddress('http://gone.example/', policy)).toBeTypeOf('string')
  })
})
