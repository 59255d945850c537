"""Converts a CSV file to .xls with shared strings, customer numbers as numbers and dates as dates.

Arguments: the CSV file, the workbook.
"""

import csv
import datetime
import sys

import xlwt

NUMBER, DATE = 6, 7

source, target = sys.argv[1:]
book = xlwt.Workbook()
sheet = book.add_sheet("Kunder")
date = xlwt.easyxf(num_format_str="yyyy-mm-dd")
with open(source, newline="", encoding="utf-8") as rows:
    for y, cells in enumerate(csv.reader(rows)):
        for x, cell in enumerate(cells):
            if not cell:
                continue
            if y > 0 and x == NUMBER:
                sheet.write(y, x, int(cell))
            elif y > 0 and x == DATE:
                sheet.write(y, x, datetime.date.fromisoformat(cell), date)
            else:
                sheet.write(y, x, cell)
        if y % 1000 == 999:
            sheet.flush_row_data()
book.save(target)
