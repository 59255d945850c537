import { t } from '@lingui/core/macro'
import { core, type Vehicle } from '~/core'
import { textOf } from '~/language'
import { DeleteDialog } from '~/records/DeleteDialog'
import type { DeletionDialog } from '~/records/useDialogs'

/** The dialog that asks for confirmation and deletes a vehicle. */
export function DeleteVehicleDialog(dialog: DeletionDialog<Vehicle>) {
  const { name, stock_number, vehicle_id } = dialog.record
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete vehicle`}
      confirmLabel={t`Delete vehicle`}
      name={name}
      detail={<span className="tabular-nums">{stock_number}</span>}
      texts={{
        deleted: textOf(core.recordTexts('vehicles').deleted),
        deleteFailed: t`Failed to delete vehicle.`,
        deleteQuestion: t`Are you sure you want to delete this vehicle?`,
      }}
      remove={() => core.deleteRecord('vehicles', vehicle_id)}
      trash={{ resource: 'vehicles', ids: [vehicle_id] }}
    />
  )
}
