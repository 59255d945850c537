import {
  blockRequests,
  expectOpen,
  expectText,
  fill,
  loadingStates,
  open,
  openFirst,
  openLoading,
  openRow,
  press,
  pressInDialog,
  rejectRequests,
  state,
} from './steps'

const [dashboard, customers, invoices, contacts] = [
  '/dashboard',
  '/dashboard/customers',
  '/dashboard/invoices',
  '/dashboard/contacts',
]

/** The screens of an administrator of a corporation with many records. */
export const recordStates = [
  ...loadingStates('Dashboard', dashboard, /\/api\/dashboard/),
  state('Dashboard, as tables', open(dashboard), press(/^Show as table/), press(/^Show as table/)),

  ...loadingStates('Customers', customers, /\/api\/customers\?/),
  state('Customers, nothing found', open(`${customers}?search=nobody-has-this-name`)),
  state('Customers, past the last page', open(`${customers}?page=99`), expectText('This page is empty')),
  state('Customers, a row open', open(customers), openRow),
  state(
    'Customers, a row open, loading',
    blockRequests(/\/api\/customers\/[^/?]+$/),
    open(`${customers}?type=Private`),
    openRow,
  ),
  state(
    'Customers, a row open, failed',
    rejectRequests(/\/api\/customers\/[^/?]+$/),
    open(`${customers}?type=Private`),
    openRow,
    expectText('Try Again'),
  ),
  state('Customers, filter', open(customers), press(/^Filter/), expectOpen()),
  state('Customers, new', open(customers), press('New Customer'), expectOpen()),
  state(
    'Customers, new, with errors',
    open(customers),
    press('New Customer'),
    pressInDialog('Create customer'),
    expectText('Social security number is required.'),
  ),
  state('Customers, edit', open(customers), openRow, press(/^Edit/), expectOpen()),
  state('Customers, delete', open(customers), openRow, press(/^Delete/), expectOpen()),

  state('Customer', open(customers), openFirst('Customers'), expectText('System Information')),
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
  ),
  state('Customer, unknown', open(`${customers}/00000000-0000-4000-8000-000000000000`)),
  state(
    'Customer, edit',
    open(customers),
    openFirst('Customers'),
    expectText('System Information'),
    press('Edit'),
    expectOpen(),
  ),

  ...loadingStates('Invoices', invoices, /\/api\/invoices\?/),
  state('Invoices, nothing found', open(`${invoices}?search=nobody-has-this-name`)),
  state(
    'Invoice',
    open(invoices),
    press(/^View invoice for/, 'link'),
    expectOpen(),
    expectText('Invoice Overview'),
  ),
  state(
    'Invoice, failed',
    rejectRequests(/\/api\/invoices\/[^/?]+$/),
    open(invoices),
    press(/^View invoice for/, 'link'),
    expectText('Try Again'),
  ),
  state('Invoice page', open(invoices), openFirst('Invoices'), expectText('System Information')),
  state('Invoice page, unknown', open(`${invoices}/00000000-0000-4000-8000-000000000000`)),
  state(
    'Invoices, new, choosing a customer',
    open(invoices),
    press('Create New Invoice'),
    fill('Customer', 'holm'),
    expectText('C-'),
  ),
  state('Invoices, new', open(invoices), press('Create New Invoice'), expectOpen()),
  state(
    'Invoices, new, with errors',
    open(invoices),
    press('Create New Invoice'),
    pressInDialog('Create invoice'),
  ),
  state('Invoices, edit', open(invoices), press(/^Edit invoice/), expectOpen()),
  state('Invoices, delete', open(invoices), press(/^Delete invoice/), expectOpen()),

  ...loadingStates('Contacts', contacts, /\/api\/contacts\?/),
  state('Contacts, nothing found', open(`${contacts}?search=nobody-has-this-name`)),
  state('Contacts, new', open(contacts), press('+ Add New Contact'), expectOpen()),
  state(
    'Contacts, new, with errors',
    open(contacts),
    press('+ Add New Contact'),
    fill('Email', 'broken'),
    pressInDialog('Create contact'),
  ),
  state('Contacts, delete', open(contacts), press(/^Delete/), expectOpen()),
  state('Contact', open(contacts), press(/^View details of/, 'link'), expectText('System Information')),
  state(
    'Contact, loading',
    blockRequests(/\/api\/contacts\/[^/?]+$/),
    openLoading(`${contacts}/00000000-0000-4000-8000-000000000000`),
  ),
  state('Contact, unknown', open(`${contacts}/00000000-0000-4000-8000-000000000000`)),
  state(
    'Contact, edit',
    open(contacts),
    press(/^View details of/, 'link'),
    expectText('System Information'),
    press('Edit'),
    expectOpen(),
  ),
]

/** The screens of a clerk with few permissions. */
export const clerkStates = [
  state('Dashboard, of a clerk', open(dashboard)),
  state('Customers, of a clerk', open(customers)),
  state('Contacts, of a clerk', open(contacts)),
  state(
    'Contact, of a clerk',
    open(contacts),
    press(/^View details of/, 'link'),
    expectText('System Information'),
  ),
  state('Imports, closed to a clerk', open('/dashboard/contacts/imports')),
  state('Users, closed to a clerk', open('/dashboard/users'), expectText("Your role doesn't include")),
  state('Settings, of a clerk', open('/dashboard/profile')),
  state('Profile menu, of a clerk', open(dashboard), press(/^Profile menu/), expectOpen('menu')),
]
