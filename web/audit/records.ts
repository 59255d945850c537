import { kinds, titleOf } from '../e2e/kinds'
import {
  blockRequests,
  expectErrors,
  expectOpen,
  expectText,
  fill,
  loadingStates,
  open,
  openFirst,
  openLoading,
  openNew,
  openRow,
  press,
  pressInRow,
  rejectRequests,
  scrollTo,
  state,
  submit,
  wideState,
} from './steps'

const [dashboard, customers, invoices, vehicles, agreements, contacts] = [
  '/dashboard',
  '/dashboard/customers',
  '/dashboard/invoices',
  '/dashboard/vehicles',
  '/dashboard/agreements',
  '/dashboard/contacts',
]

/** Returns the states that all kinds of records have: the list, a record, and the dialogs that change it. */
function statesOf(kind: string) {
  const [list, path] = [titleOf(kind), `/dashboard/${kind}`]
  const one = list.slice(0, -1)
  // An empty agreement is valid.
  const fillWrong = kind === 'agreements' ? [fill('Deposit', 'much')] : []
  return [
    ...loadingStates(list, path, new RegExp(`/api/${kind}\\?`)),
    state(`${list}, nothing found`, open(`${path}?search=nobody-has-this-name`)),
    state(`${list}, edit`, open(path), pressInRow(/^Edit/), expectOpen()),
    state(one, open(path), openFirst(list), expectText('System Information')),
    state(`${one}, unknown`, open(`${path}/00000000-0000-4000-8000-000000000000`)),
    state(`${one}, new`, open(path), openNew, expectOpen()),
    state(`${one}, new, with errors`, open(path), openNew, expectOpen(), ...fillWrong, submit, expectErrors),
  ]
}

/** The states of the screens of an administrator of a corporation with many records. */
export const recordStates = [
  ...loadingStates('Dashboard', dashboard, /\/api\/dashboard/),
  state('Dashboard, as tables', open(dashboard), press(/^Show as table/), press(/^Show as table/)),

  ...kinds.flatMap(statesOf),

  state('Customers, past the last page', open(`${customers}?page=99`), expectText('This page is empty')),
  wideState('Customers, a row open', open(customers), openRow),
  wideState(
    'Customers, a row open, loading',
    blockRequests(/\/api\/customers\/[^/?]+$/),
    open(`${customers}?type=Private`),
    openRow,
  ),
  wideState(
    'Customers, a row open, failed',
    rejectRequests(/\/api\/customers\/[^/?]+$/),
    open(`${customers}?type=Private`),
    openRow,
    expectText('Try Again'),
  ),
  state('Customers, filter', open(customers), press(/^Filter/), expectOpen()),
  state('Customers, delete', open(customers), pressInRow(/^Delete/), expectOpen()),

  state(
    'Customer, loading',
    blockRequests(/\/api\/customers\/[^/?]+$/),
    openLoading(`${customers}/00000000-0000-4000-8000-000000000000`),
  ),
  state(
    'Customer, invoices failed',
    rejectRequests(/\/api\/invoices\?/),
    open(customers),
    openFirst('Customers'),
    expectText('Try Again'),
    scrollTo('Try Again'),
  ),
  state(
    'Customer, history failed',
    rejectRequests(/\/api\/history\?/),
    open(customers),
    openFirst('Customers'),
    expectText('Try Again'),
    scrollTo('Try Again'),
  ),
  state(
    'Customer, edit',
    open(customers),
    openFirst('Customers'),
    expectText('System Information'),
    press('Edit'),
    expectOpen(),
  ),

  state('Vehicles, board', open(`${vehicles}?layout=board`), expectText('In stock')),

  state(
    'Agreement, vehicles failed',
    rejectRequests(/\/api\/vehicles\?/),
    open(agreements),
    openFirst('Agreements'),
    expectText('Try Again'),
  ),
  state(
    'Agreement, new, choosing a vehicle',
    open(agreements),
    press('New agreement'),
    fill('Add vehicle', 'volvo'),
    expectOpen('listbox'),
  ),
  state(
    'Agreement, cancelling',
    open(`${agreements}?filter=[{"field":"state","op":"is","value":"Signed"}]`),
    openFirst('Agreements'),
    press('Cancel…'),
    expectOpen(),
  ),
  state(
    'Agreement, delivering',
    open(`${agreements}?filter=[{"field":"state","op":"is","value":"Signed"}]`),
    openFirst('Agreements'),
    press('Mark as delivered'),
    expectOpen(),
  ),

  state(
    'Invoice, overview',
    open(invoices),
    pressInRow(/^View invoice for/),
    expectOpen(),
    expectText('Invoice Overview'),
  ),
  state(
    'Invoice, overview, failed',
    rejectRequests(/\/api\/invoices\/[^/?]+$/),
    open(invoices),
    pressInRow(/^View invoice for/),
    expectText('Try Again'),
  ),
  state(
    'Invoice, new, choosing a customer',
    open(invoices),
    press('Create New Invoice'),
    fill('Customer', 'holm'),
    expectText('C-'),
  ),
  state('Invoices, delete', open(invoices), pressInRow(/^Delete invoice/), expectOpen()),

  state('Contacts, delete', open(contacts), pressInRow(/^Delete/), expectOpen()),
  ...loadingStates('Contacts, duplicates', `${contacts}/duplicates`, /\/api\/contacts\/duplicates/),
  state(
    'Contact, loading',
    blockRequests(/\/api\/contacts\/[^/?]+$/),
    openLoading(`${contacts}/00000000-0000-4000-8000-000000000000`),
  ),
  state(
    'Contact, edit',
    open(contacts),
    openFirst('Contacts'),
    expectText('System Information'),
    press('Edit'),
    expectOpen(),
  ),
]

/** The states of the screens of a user with few permissions. */
export const clerkStates = [
  state('Dashboard, of a clerk', open(dashboard)),
  state('Customers, of a clerk', open(customers)),
  state('Contacts, of a clerk', open(contacts)),
  state('Contact, of a clerk', open(contacts), openFirst('Contacts'), expectText('System Information')),
  state('Imports, closed to a clerk', open('/dashboard/contacts/imports')),
  state('Users, closed to a clerk', open('/dashboard/users'), expectText("Your role doesn't include")),
  state('Settings, of a clerk', open('/dashboard/profile')),
  state('Profile menu, of a clerk', open(dashboard), press(/^Profile menu/), expectOpen('menu')),
]
