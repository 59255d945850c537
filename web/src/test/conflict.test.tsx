import { useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { useForm } from 'react-hook-form'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Providers } from '~/app/Providers'
import { core, type Invoice } from '~/core'
import { showErrors } from '~/lib/form'
import { SESSION_ROUTE } from '~/lib/session'
import { RecordForm } from '~/records/RecordForm'
import { useConflict } from '~/records/useConflict'
import { TextField } from '~/ui/TextField'
import { errorResponse, network } from './network'
import { expectAlert, signInUser } from './open'

const opened: Invoice = {
  _id: 'i1',
  customer: 'Nordbil',
  website: 'nordbil.example',
  email: 'ada@nordbil.example',
  customerRequirements: '',
  startDate: '2026-01-01',
  endDate: '2026-02-01',
  projectPrice: 100,
  createdAt: '2026-01-01T08:00:00Z',
  updatedAt: '2026-01-01T08:00:00Z',
  version: 1,
}

const inputOf = ({ customer, website, email }: Invoice) => ({ customer, website, email, note: '' })

/** A minimal form that edits an invoice. Its field `note` isn't part of the record. */
function Small() {
  const [saved, setSaved] = useState(false)
  const [error, setError] = useState<string>()
  const form = useForm({ defaultValues: inputOf(opened) })
  const { control, formState } = form
  const conflict = useConflict({
    form,
    version: opened.version,
    inputOf,
    labels: {
      customer: 'Customer',
      website: { label: 'Website', show: value => value.toUpperCase() },
      email: 'Email',
    },
  })
  const save = form.handleSubmit(async ({ note: _, ...values }) => {
    try {
      await core.updateInvoice('i1', {
        ...values,
        customerRequirements: '',
        startDate: '',
        endDate: '',
        projectPrice: '',
        version: conflict.version,
      })
      setSaved(true)
    } catch (thrown) {
      if (!conflict.handle(thrown)) setError(showErrors(form, thrown, 'Failed'))
    }
  })
  if (saved) return null
  return (
    <RecordForm
      state={{
        conflict,
        editors: [],
        discardDraft: undefined,
        modal: { busy: formState.isSubmitting, dirty: formState.isDirty, error, onSubmit: save },
      }}
      title="Small"
      description={opened.email}
      submit="Save"
      onClose={() => setSaved(true)}
    >
      <TextField control={control} name="customer" label="Customer" />
      <TextField control={control} name="website" label="Website" />
      <TextField control={control} name="email" label="Email" />
      <TextField control={control} name="note" label="Note" />
    </RecordForm>
  )
}

let root: Root
afterEach(() => root.unmount())

function openSmall() {
  signInUser()
  const place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
  const router = createMemoryRouter([{ id: SESSION_ROUTE, path: '/', Component: Small }], {
    hydrationData: { loaderData: { [SESSION_ROUTE]: { profile: { id: 'u1' } } } },
  })
  root.render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  )
}

const field = (name: string) => page.getByRole('textbox', { name })
const save = page.getByRole('button', { name: 'Save' })
const report = page.getByRole('region', { name: /^Someone else has changed this/ })
const erased = page.getByRole('region', { name: /^Personal data in this record was erased/ })
const group = (name: string) => page.getByRole('group', { name })
const option = (of: string, name: RegExp) => group(of).getByRole('radio', { name })
const sent = () =>
  network.requests('/api/invoices/i1').map(call => call.body as { customer: string; version?: number })

/**
 * Makes the fake server change the invoice like another user (`more`), and reject saves that are based on an older
 * version.
 */
function serveTheirSave(more: Partial<Invoice>) {
  const present = { ...opened, ...more }
  network.on('PUT /api/invoices/i1', ({ body }) =>
    (body as { version?: number }).version === present.version
      ? { body: { success: true, message: '', data: present } }
      : errorResponse(409, core.texts().general.stale.text, { data: present }),
  )
}

test('a field changed by both can be chosen; saving again sends the new version', async () => {
  openSmall()
  serveTheirSave({ customer: 'Nordbil AB', version: 4 })
  await field('Customer').fill('Nordbil Ltd')
  await field('Note').fill('mine alone')
  await save.click()
  await expect.element(report).toHaveFocus()
  // The focus announces the region's name. An alert would say it again.
  expect(page.getByRole('alert').elements()).toHaveLength(0)
  await expect.element(option('Customer', /^Yours Nordbil Ltd$/)).toBeChecked()
  await expect.element(option('Customer', /^Theirs Nordbil AB$/)).not.toBeChecked()
  await expect.element(field('Customer')).toHaveValue('Nordbil Ltd')
  await expect.element(field('Note')).toHaveValue('mine alone')
  await save.click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
  expect(sent().map(({ customer, version }) => [customer, version])).toEqual([
    ['Nordbil Ltd', 1],
    ['Nordbil Ltd', 4],
  ])
})

test('the other value can be chosen by keyboard and the typed one restored', async () => {
  openSmall()
  serveTheirSave({ customer: 'Nordbil AB', version: 2 })
  await field('Customer').fill('Nordbil Ltd')
  await save.click()
  await expect.element(report).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  await expect.element(option('Customer', /Yours/)).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(field('Customer')).toHaveValue('Nordbil AB')
  await expect.element(option('Customer', /Yours Nordbil Ltd/)).not.toBeChecked()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(field('Customer')).toHaveValue('Nordbil Ltd')
  // A further input becomes the user's own value of the choice.
  await field('Customer').fill('Nordbil plc')
  await expect.element(option('Customer', /Yours Nordbil plc/)).toBeChecked()
})

test('a field changed only by the other user takes their value and stays editable', async () => {
  openSmall()
  serveTheirSave({ email: 'eve@nordbil.example', website: '', version: 2 })
  await field('Customer').fill('Nordbil Ltd')
  await save.click()
  await expect.element(field('Email')).toHaveValue('eve@nordbil.example')
  await expect.element(field('Website')).toHaveValue('')
  await expect.element(field('Customer')).toHaveValue('Nordbil Ltd')
  await expect.element(report).toHaveTextContent(/Emaileve@nordbil.example ?Previously: ?ada@nordbil.example/)
  // The website's previous value is formatted by the field's `show`, here in capitals.
  await expect.element(report).toHaveTextContent(/Websiteempty ?Previously: ?NORDBIL.EXAMPLE/)
  expect(page.getByRole('radio').elements()).toHaveLength(0)
  await field('Email').fill('bo@nordbil.example')
  await expect.element(option('Email', /Yours bo@nordbil.example/)).toBeChecked()
  await expect.element(option('Email', /Theirs eve@nordbil.example/)).toBeVisible()
})

test('personal data that was erased meanwhile is neither offered nor shown', async () => {
  openSmall()
  await expect.element(page.getByText(opened.email)).toBeVisible()
  const left = { website: 'erased.invalid', email: 'erased@erased.invalid' }
  const present = { ...left, erased: Object.keys(left), version: 2 }
  serveTheirSave(present)
  await field('Customer').fill('Nordbil Ltd')
  await field('Email').fill('eve@nordbil.example')
  await save.click()
  await expect.element(erased).toHaveFocus()
  await expect.element(field('Email')).toHaveValue(left.email)
  await expect.element(field('Customer')).toHaveValue('Nordbil Ltd')
  expect(page.getByRole('radio').elements()).toHaveLength(0)
  expect(page.getByText(/^Previously/).elements()).toHaveLength(0)
  expect(page.getByText(opened.email).elements()).toHaveLength(0)
  serveTheirSave({ ...present, version: 3 })
  await save.click()
  await expect.element(erased).toHaveFocus()
  expect(page.getByText(opened.email).elements()).toHaveLength(0)
  await save.click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
  expect(sent().at(-1)).toMatchObject({ ...left, customer: 'Nordbil Ltd', version: 3 })
})

test('a second conflict keeps the typed values too', async () => {
  openSmall()
  serveTheirSave({ customer: 'Nordbil AB', email: 'eve@nordbil.example', version: 2 })
  await field('Customer').fill('Nordbil Ltd')
  await field('Website').fill('nordbil.test')
  await save.click()
  await option('Customer', /Theirs/).click()
  serveTheirSave({ customer: 'Nordbil Oy', email: 'eve@nordbil.example', website: 'nordbil.fi', version: 3 })
  await save.click()
  // The field has the other user's new value, but the value that was typed at first can still be chosen.
  await expect.element(field('Customer')).toHaveValue('Nordbil Oy')
  await expect.element(option('Customer', /Yours Nordbil Ltd/)).not.toBeChecked()
  await expect.element(option('Website', /Yours NORDBIL.TEST/)).toBeChecked()
  await expect.element(option('Website', /Theirs NORDBIL.FI/)).toBeVisible()
  await expect.element(field('Website')).toHaveValue('nordbil.test')
  await expect.element(report).toHaveTextContent(/Previously: ?ada@nordbil.example/)
  await expect.element(report).toHaveFocus()
  await option('Customer', /Yours/).click()
  await save.click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
  expect(sent().map(({ version }) => version)).toEqual([1, 2, 3])
  expect(sent().at(-1)?.customer).toBe('Nordbil Ltd')
})

test("choosing all of the other user's values leaves no unsaved changes", async () => {
  openSmall()
  serveTheirSave({ customer: 'Nordbil AB', version: 2 })
  await field('Customer').fill('Nordbil Ltd')
  await save.click()
  await option('Customer', /Theirs/).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test('closing with typed values left asks for confirmation', async () => {
  openSmall()
  serveTheirSave({ email: 'eve@nordbil.example', version: 2 })
  await field('Customer').fill('Nordbil Ltd')
  await save.click()
  await expect.element(report).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText('Discard your changes?')).toBeVisible()
})

test('no choice is needed if both users made the same change or changed different fields', async () => {
  openSmall()
  serveTheirSave({ customer: 'Nordbil Ltd', projectPrice: 200, version: 2 })
  await field('Customer').fill('Nordbil Ltd')
  await save.click()
  await expect.element(page.getByText('Your version is identical to theirs.')).toBeVisible()
  await save.click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test('a form with changes is not called identical if the other user has undone what they changed', async () => {
  openSmall()
  serveTheirSave({ version: 3 })
  await field('Customer').fill('Nordbil Ltd')
  await save.click()
  await expect.element(page.getByText("Your changes don't conflict with theirs.")).toBeVisible()
  expect(page.getByText('Your version is identical to theirs.').elements()).toHaveLength(0)
  await field('Customer').fill(opened.customer)
  await expect.element(page.getByText('Your version is identical to theirs.')).toBeVisible()
})

test('another error is not handled as a conflict', async () => {
  openSmall()
  network.on('PUT /api/invoices/i1', () => errorResponse(409, 'Not now.'))
  await field('Customer').fill('Nordbil Ltd')
  await save.click()
  await expectAlert('Not now.')
  expect(page.getByText(core.texts().general.stale.text).elements()).toHaveLength(0)
})
