import * as Comlink from 'comlink'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { core } from '~/core'
import { size } from '~/lib/size'
import {
  buttonNamed,
  createFile,
  dropFile,
  openMappingStep,
  peopleFile,
  selectOption,
  signInForImport,
} from '~/test/importing'
import { network } from '~/test/network'
import { expectAlert } from '~/test/open'
import { startReader, WorkerError } from './reader'

type Answer = { status: number; body: object } | 'lost'

/** A fake XMLHttpRequest, whose progress and response the test controls. */
class Upload {
  static all: Upload[] = []
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  onloadend?: () => void
  responseType = ''
  status = 0
  response: unknown = null
  address = ''
  headers: Record<string, string> = {}
  form = new FormData()

  constructor() {
    Upload.all.push(this)
  }

  open(_method: string, address: string) {
    this.address = address
  }

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }

  send(form: FormData) {
    this.form = form
  }

  abort() {
    this.onabort?.()
    this.onloadend?.()
  }

  answer(answer: Answer) {
    if (answer === 'lost') this.onerror?.()
    else {
      this.status = answer.status
      this.response = answer.body
      this.onload?.()
    }
    this.onloadend?.()
  }

  json = (field: string) => JSON.parse(String(this.form.get(field)))
}

const real = { XMLHttpRequest, Worker }
const upload = (at = 0) => Upload.all[at] as Upload

beforeEach(() => {
  signInForImport()
  Upload.all = []
  Object.assign(window, { XMLHttpRequest: Upload })
})
afterEach(() => {
  Object.assign(window, real)
  vi.useRealTimers()
})

/** Opens and checks a file, and starts to submit it. */
async function startSending() {
  const app = await openMappingStep(peopleFile(20))
  await buttonNamed('Leave out row 11').click()
  await expect.element(page.getByText('18 will be imported, 2 will not', { exact: true })).toBeVisible()
  await buttonNamed('Import Contacts').click()
  await expect.poll(() => Upload.all.length).toBe(1)
  return app
}

const accepted: Answer = {
  status: 202,
  body: { success: true, message: 'The import has started', sessionId: 's1' },
}

test('submits the file with mapping, options, corrections and result', async () => {
  network.on('GET /api/contacts/import/status/s1', () => ({
    status: 404,
    body: { success: false, message: 'Gone' },
  }))
  const app = await startSending()
  const { address, headers, json, form } = upload()
  expect(address).toBe('/api/contacts/import/submit')
  expect(headers.Authorization).toMatch(/^Bearer /)
  expect(headers['Time-Zone']).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(json('columnMapping')[1]).toEqual({ fileColumn: 'E-post', modelColumn: 'email' })
  expect(json('options')).toEqual({ encoding: 'UTF-8', delimiter: ';', header: 1 })
  expect(json('corrections')).toEqual({ cells: [], replacements: [], leftOut: [11], duplicates: 'import' })
  expect(json('verdict')).toMatchObject({ total: 19, ready: 18, failed: 1, leftOut: 1, duplicates: 0 })
  expect(json('verdict').digest).toMatch(/^[0-9a-f]{16}$/)
  expect((form.get('file') as File).name).toBe('people.csv')
  upload().answer(accepted)
  await expect.poll(app.address).toBe('/dashboard/contacts/imports/new?session=s1')
  expect(sessionStorage.getItem('importDrafts')).toBe('[]')
})

test('an upload shows how much of the file was sent, then that it waits for the server', async () => {
  await startSending()
  const bar = page.getByRole('progressbar', { name: 'Uploading the file' })
  const fileSize = peopleFile(20).size
  // The body of the request is larger than the file.
  const total = 4 * fileSize
  upload().upload.onprogress?.({ loaded: fileSize, total })
  const text = `${size(Math.floor(fileSize / 4))} of ${size(fileSize)}`
  await expect.element(bar).toHaveAttribute('aria-valuetext', text)
  upload().upload.onprogress?.({ loaded: total, total })
  await expect.element(bar).toHaveAttribute('aria-valuetext', 'Waiting for the server…')
})

test('removes control characters from the file name', async () => {
  await openMappingStep(createFile('kun\u0001der\r\n.csv', 'Name\nAda\n'))
  await expect.element(page.getByText('1 will be imported', { exact: true })).toBeVisible()
  await buttonNamed('Import Contacts').click()
  await expect.poll(() => Upload.all.length).toBe(1)
  expect((upload().form.get('file') as File).name).toBe('kunder.csv')
})

test('without a connection an error is shown and the input is kept', async () => {
  await startSending()
  upload().answer('lost')
  await expectAlert(core.texts().general.noConnection.text)
  await expect.element(buttonNamed('1 row left out')).toBeVisible()
  await expect.element(page.getByText('18 will be imported, 2 will not', { exact: true })).toBeVisible()
  await buttonNamed('Import Contacts').click()
  await expect.poll(() => Upload.all.length).toBe(2)
  expect(page.getByRole('alert').elements()).toHaveLength(0)
})

test('an upload can be cancelled', async () => {
  await startSending()
  await buttonNamed('Cancel upload').click()
  await expect.element(buttonNamed('Back')).toBeVisible()
  expect(page.getByRole('alert').elements()).toHaveLength(0)
})

test('in a narrow window the buttons of an upload wrap', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await startSending()
  // In a window of 320 px, the longer texts of other languages have no space.
  await page.viewport(280, 740)
  await expect.element(buttonNamed('Cancel upload')).toBeVisible()
  expect(buttonNamed('Import Contacts').element().getBoundingClientRect().right).toBeLessThan(280)
})

test('while the file is uploaded nothing can be corrected, because the upload has a copy', async () => {
  await startSending()
  const buttons = [...document.querySelectorAll('button')]
  const names = (button: HTMLElement) => [button.ariaLabel, button.textContent]
  for (const name of ['Leave out row 21', '1 row left out']) {
    const button = buttons.find(each => names(each).includes(name)) as HTMLElement
    button.focus()
    expect(button.closest(':focus')).toBeNull()
  }
  await buttonNamed('Cancel upload').click()
  await buttonNamed('Leave out row 21').click()
  await expect.element(buttonNamed('2 rows left out')).toBeVisible()
  await expect.poll(() => page.getByRole('heading', { name: /problems? in/ }).elements()).toHaveLength(0)
  await buttonNamed('Import Contacts').click()
  await expect.poll(() => Upload.all.length).toBe(2)
  expect(upload(1).json('corrections').leftOut).toEqual([11, 21])
})

test('the start of the upload closes the panel with the corrections', async () => {
  await openMappingStep(peopleFile(20))
  await buttonNamed('Leave out row 11').click()
  await expect.element(page.getByText('18 will be imported, 2 will not', { exact: true })).toBeVisible()
  const start = buttonNamed('Import Contacts').element() as HTMLElement
  await buttonNamed('1 row left out').click()
  await expect.element(buttonNamed('Undo: Row 11')).toBeVisible()
  start.click()
  await expect.poll(() => Upload.all.length).toBe(1)
  await expect.poll(() => buttonNamed('Undo: Row 11').elements()).toHaveLength(0)
  await expect.element(buttonNamed('Cancel upload')).toBeVisible()
})

test('after a 401 the file is uploaded again; any other error is shown until the next attempt', async () => {
  await startSending()
  upload().answer({ status: 401, body: { success: false, message: 'Your session has ended.' } })
  await expect.poll(() => Upload.all.length).toBe(2)
  upload(1).answer({ status: 413, body: { success: false, message: 'This file is too large.' } })
  await expectAlert('This file is too large.')
})

/** A fake worker, which never finishes opening a file. */
function createSilentWorker(): Worker {
  const { port1, port2 } = new MessageChannel()
  const engine = {
    onMessage: (_: { kind: string }) => undefined,
    listen(onMessage: (word: { kind: string }) => undefined) {
      this.onMessage = onMessage
    },
    open() {
      this.onMessage({ kind: 'working' })
      return new Promise(() => undefined)
    },
  }
  Comlink.expose(engine, port2)
  port1.start()
  return Object.assign(port1, { terminate: () => port1.close() }) as unknown as Worker
}

test('a worker that is silent for five seconds is terminated', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  Object.assign(window, {
    Worker: function SilentWorker() {
      return createSilentWorker()
    },
  })
  const words: string[] = []
  const reader = startReader(word => words.push(word.kind))
  const opening = reader.open(createFile('slow.csv', 'x'), {}).catch(error => error)
  await vi.waitUntil(() => {
    vi.advanceTimersByTime(1)
    return words.includes('working')
  })
  expect(reader.isOver()).toBe(false)
  vi.advanceTimersByTime(5_000)
  expect(await opening).toBeInstanceOf(WorkerError)
  expect(reader.isOver()).toBe(true)
})

test('after an idle worker crashes, a new one checks the open file, and another file can be opened', async () => {
  let broken: Worker | undefined
  class Fragile extends real.Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      broken ??= this
    }
  }
  Object.assign(window, { Worker: Fragile })
  await openMappingStep(peopleFile(30))
  broken?.dispatchEvent(new ErrorEvent('error', { message: 'RuntimeError: unreachable' }))
  await selectOption('Field for “Stad”', 'Address')
  await expect.element(page.getByText('27 will be imported, 3 will not', { exact: true })).toBeVisible()
  dropFile(peopleFile(10))
  await expect.element(buttonNamed('Next')).not.toHaveAttribute('aria-disabled')
})
